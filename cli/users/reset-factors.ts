import { z } from 'zod';
import { defineCommand } from '../command.ts';
import { confirm } from '../confirm.ts';
import { act } from '../session.ts';

const reply = z.object({ email: z.string() });

export const usersResetFactors = defineCommand({
  name: 'users reset-factors',
  summary: 'Remove the second factors of a person who is locked out',
  args: { email: { summary: 'E-mail address of the person' } },
  options: { yes: { summary: 'Skip the confirmation', short: 'y' } },
  examples: [
    'spanledger users reset-factors grace@example.com',
    'spanledger users reset-factors grace@example.com --yes',
  ],
  run: async (ctx) => {
    const { email } = ctx.args;
    const warning = `${email} will lose the authenticator app, all passkeys and recovery codes, and all login sessions. From then on the password alone signs in.`;
    await confirm(ctx, { warning, word: email, yes: ctx.options.yes });
    const reset = await act(ctx, { action: 'users.reset_factors', input: { email }, reply });
    ctx.output.result(reset, () => ctx.output.success(`${reset.email} has no second factor any more`));
  },
});
