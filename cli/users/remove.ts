import { z } from 'zod';
import { defineCommand } from '../command.ts';
import { confirm } from '../confirm.ts';
import { chooseOrganization } from '../organization.ts';
import { act } from '../session.ts';

const reply = z.object({ organizationId: z.string(), userId: z.string(), email: z.string() });

export const usersRemove = defineCommand({
  name: 'users remove',
  summary: 'Remove a person from an organization; the account stays',
  args: { email: { summary: 'E-mail address of the person' } },
  options: {
    org: { value: 'ORG', summary: 'Id or name; optional if there is only one', short: 'o' },
    yes: { summary: 'Skip the confirmation', short: 'y' },
  },
  examples: [
    'spanledger users remove grace@example.com',
    'spanledger users remove grace@example.com -o Acme --yes',
  ],
  run: async (ctx) => {
    const { email } = ctx.args;
    const organization = await chooseOrganization(ctx, ctx.options.org);
    const warning = `${email} will lose all access to this organization.`;
    await confirm(ctx, { warning, word: email, yes: ctx.options.yes });
    const gone = await act(ctx, { action: 'users.remove', input: { email, organization }, reply });
    ctx.output.result(gone, () => ctx.output.success(`${gone.email} was removed`));
  },
});
