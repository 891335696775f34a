import { z } from 'zod';
import { PLAN_NAMES } from '../../src/core/plans/index.ts';
import { defineCommand } from '../command.ts';
import { act } from '../session.ts';

const reply = z.object({ id: z.string(), name: z.string(), plan: z.enum(PLAN_NAMES) });

export const orgsCreate = defineCommand({
  name: 'orgs create',
  summary: 'Create an organization',
  args: { name: { summary: 'Name of the organization' } },
  options: {
    plan: { value: 'PLAN', summary: 'Plan; DEFAULT_PLAN if omitted', choices: PLAN_NAMES },
  },
  examples: ['spanledger orgs create "Acme Research" --plan pro'],
  run: async (ctx) => {
    const input = { name: ctx.args.name, plan: ctx.options.plan };
    const made = await act(ctx, { action: 'orgs.create', input, reply });
    ctx.output.result(made, () => {
      ctx.output.line(made.id);
      ctx.output.success(`Organization ${made.name} on plan ${made.plan}`);
    });
  },
});
