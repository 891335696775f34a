import { z } from 'zod';
import { createdToken } from '../../src/core/access-tokens/contract.ts';
import { DAY_MS, formatInstant, HOUR_MS, parseInstant } from '../../src/lib/time.ts';
import { defineCommand } from '../command.ts';
import { utcTime } from '../moment.ts';
import { chooseOrganization } from '../organization.ts';
import { orgOption } from '../prices/fields.ts';
import { projectIdOf } from '../project.ts';
import { act } from '../session.ts';

const units: Readonly<Record<string, number>> = { h: HOUR_MS, d: DAY_MS, w: 7 * DAY_MS };
/** `90d` from now, or a time; as ISO 8601. */
const end = z.string().transform((text, check) => {
  const [, count, unit = ''] = /^(\d{1,5})([hdw])$/.exec(text) ?? [];
  const at = count === undefined ? parseInstant(text) : Date.now() + Number(count) * (units[unit] ?? 0);
  if (at !== null) return formatInstant(at);
  check.addIssue('expected a duration such as 90d, a date such as 2027-01-31 or an ISO 8601 time');
  return z.NEVER;
});

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
    'TOKEN=$(spanledger access-tokens create --name ci --project assistant --user ada@example.com --quiet)',
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
