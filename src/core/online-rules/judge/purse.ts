import { and, eq } from 'drizzle-orm';
import type { Ctx } from '../../../context.ts';
import { AppError } from '../../../errors.ts';
import { monthKey } from '../../../lib/time.ts';
import { judgeMessages, type Sample } from '../../evaluators/index.ts';
import { expectCost } from '../../models/index.ts';
import { onlineRuleMonths } from '../table.ts';
import type { LoadedRule } from './load-rule.ts';

/** A judgement does not fit below the monthly cap of its rule any more. */
export class CapReached extends Error {}

/** Keeps the judges of a rule below its monthly cap: what they can cost at most must fit before they are asked. */
export type Purse = { pay(sample: Sample, judge: () => Promise<number>): Promise<void> };

/** An output that is not JSON is asked for once more, with the first one in the question. */
const MOST_CALLS = 3;

export async function openPurse(ctx: Ctx, rule: LoadedRule): Promise<Purse> {
  const { capNano } = rule;
  if (capNano === null || rule.rules.kind !== 'judge')
    return { pay: async (_sample, judge) => void (await judge()) };
  const [month] = await ctx.db.sql
    .select({ nano: onlineRuleMonths.spentNano })
    .from(onlineRuleMonths)
    .where(and(eq(onlineRuleMonths.ruleId, rule.id), eq(onlineRuleMonths.month, monthKey(ctx.now()))));
  let spent = month?.nano ?? 0;
  let reserved = 0;
  return {
    async pay(sample, judge) {
      const most = await mostNano(ctx, rule, sample);
      if (spent + reserved + most > capNano)
        throw new CapReached(
          `The monthly cap of $${capNano / 1e9} has no room for another judgement, which can cost $${(most / 1e9).toFixed(6)}: $${(spent / 1e9).toFixed(6)} are spent. Raise the cap, or wait for the next month`,
        );
      reserved += most;
      try {
        spent += await judge();
      } finally {
        reserved -= most;
      }
    },
  };
}

/** The most that a judgement can cost in nano-dollars; 0 if the sample cannot be judged. */
async function mostNano(ctx: Ctx, { rules, scope }: LoadedRule, sample: Sample): Promise<number> {
  if (rules.kind !== 'judge') return 0;
  const { config, output } = rules;
  const messages = judgeMessages(config, output, sample);
  if ('missing' in messages) return 0;
  const asked = { model: config.model, messages, config: { maxOutputTokens: config.maxOutputTokens } };
  const { maxCostUsd } = await expectCost(ctx, scope, asked, { withHistory: false });
  if (maxCostUsd === null)
    throw new AppError(
      429,
      `The price of ${config.model} is not known, so the cap of the rule cannot be kept. Set a price for it under Prices`,
    );
  return Math.ceil(maxCostUsd * 1e9) * MOST_CALLS;
}
