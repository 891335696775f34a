import { createdToken } from '../../src/core/access-tokens/contract.ts';
import { defineCommand } from '../command.ts';
import { end } from '../end.ts';
import { utcTime } from '../moment.ts';
import { chooseOrganization } from '../organization.ts';
import { orgOption } from '../prices/fields.ts';
import { projectIdOf } from '../project.ts';
import { act } from '../session.ts';

export const accessTokensCreate = defineCommand({
  name: 'access-tokens create',
  summary: 'Create an access token for a machine; it is shown once',
  options: {
    name: { value: 'NAME', summary: 'What the token is for', required: true },
    scope: { value: 'SCOPE', summary: 'What it may do, read by default; repeat for several', repeat: true },
    ...orgOption,
    project: { value: 'PROJECT', summary: 'Only this project (id or name)', short: 'p' },
    user: { value: 'EMAIL', summary: 'Member whose role limits it; the only owner by default' },
    expires: { value: 'WHEN', summary: '90d, 12h, a date or a time; never by default', type: end },
  },
  examples: [
    'spanledger access-tokens create --name "cost report" --expires 90d',
    'spanledger access-tokens create --name ci --project assistant --quiet',
  ],
  run: async (ctx) => {
    const { output, options } = ctx;
    const { name, user, scope, expires: expiresAt } = options;
    const input = {
      organization: await chooseOrganization(ctx, options.org),
      name,
      scopes: scope.length === 0 ? ['read'] : scope,
      projectId: await projectIdOf(ctx, options.project),
      user,
      expiresAt,
    };
    const token = await act(ctx, { action: 'access-tokens.create', input, reply: createdToken });
    output.result(token, () => {
      const reach = token.projectName === null ? '' : ` for project ${token.projectName}`;
      output.success(
        `Access token ${token.id} (${token.name})${reach}: ${token.scopes.join(', ')}, as ${token.createdBy}`,
      );
      output.raw(`${token.token}\n`);
      output.info('Shown only once. Send it as `Authorization: Bearer …`.');
      if (token.expiresAt !== null) output.info(`It works until ${utcTime(Date.parse(token.expiresAt))}`);
    });
  },
});
