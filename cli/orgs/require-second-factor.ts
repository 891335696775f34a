import { z } from 'zod';
import { defineCommand } from '../command.ts';
import { act } from '../session.ts';

const reply = z.object({
  id: z.string(),
  name: z.string(),
  required: z.boolean(),
  without: z.array(z.string()),
});

export const orgsRequireSecondFactor = defineCommand({
  name: 'orgs require-second-factor',
  summary: 'Keep members without a second factor out of an organization',
  args: { organization: { summary: 'Id or name' } },
  options: { off: { summary: 'Stop requiring it' } },
  examples: [
    'spanledger orgs require-second-factor acme',
    'spanledger orgs require-second-factor acme --off',
  ],
  run: async (ctx) => {
    const input = { organization: ctx.args.organization, required: !ctx.options.off };
    const rule = await act(ctx, { action: 'orgs.require_second_factor', input, reply });
    ctx.output.result(rule, () => {
      if (!rule.required) return ctx.output.success(`${rule.name} does not require a second factor`);
      ctx.output.success(`${rule.name} requires a second factor of its members`);
      if (rule.without.length > 0) ctx.output.info(`Kept out until they add one: ${rule.without.join(', ')}`);
    });
  },
});
