import { z } from 'zod';
import { PLAN_NAMES } from '../../src/core/plans/index.ts';
import { bytesText, countText } from '../../src/lib/figures.ts';
import { defineCommand } from '../command.ts';
import { number } from '../format.ts';
import { act } from '../session.ts';

const reply = z.object({
  id: z.string(),
  name: z.string(),
  plan: z.enum(PLAN_NAMES),
  monthlyEvents: z.number(),
  monthlyBytes: z.number(),
  retentionDays: z.number(),
});
const planList = PLAN_NAMES.join(', ');
const bytes = z
  .string()
  .regex(/^\d{1,15}$/, 'expected a whole number of bytes')
  .transform(Number);
const wholeNumber = z
  .string()
  .regex(/^\d{1,13}$/, 'expected a whole number')
  .transform(Number);

export const orgsSetPlan = defineCommand({
  name: 'orgs set-plan',
  summary: 'Set the plan of an organization, or its own limits',
  args: {
    organization: { summary: 'Id or name' },
    plan: { summary: planList, type: z.enum(PLAN_NAMES, `expected ${planList}`) },
  },
  options: {
    monthlyEvents: { value: 'N', summary: 'Events per month, overriding the plan', type: wholeNumber },
    monthlyBytes: {
      value: 'N',
      summary: 'Bytes of events per month, overriding the plan',
      type: bytes,
    },
    retentionDays: {
      value: 'N',
      summary: 'Retention in days, overriding the plan',
      type: wholeNumber,
    },
  },
  examples: [
    'spanledger orgs set-plan acme pro',
    'spanledger orgs set-plan acme scale --monthly-events 250000000',
  ],
  run: async (ctx) => {
    const input = { ...ctx.args, ...ctx.options };
    const chosen = await act(ctx, { action: 'orgs.set_plan', input, reply });
    const events = number(chosen.monthlyEvents).text;
    ctx.output.result(chosen, () =>
      ctx.output.success(
        `${chosen.name} is on ${chosen.plan}: ${events} events and ${bytesText(chosen.monthlyBytes)} per month, retention ${countText(chosen.retentionDays, 'day')}`,
      ),
    );
  },
});
