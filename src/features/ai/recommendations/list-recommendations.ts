import type { Ctx } from '../../../context.ts';
import { deletedCalls } from '../../../core/events/index.ts';
import type { EventScope } from '../../../core/tenancy/index.ts';
import { formatInstant, startDaysAgo } from '../../../lib/time.ts';
import { cacheGaps } from './cache-gap.ts';
import { batch, cheaperModel, contextTier } from './cheaper-price.ts';
import type { RecommendationsReply } from './contract.ts';
import { failedCalls, unusedOutput } from './failed-calls.ts';
import { readFacts } from './read-facts.ts';
import { repeatedPrompts } from './repeated-prompts.ts';
import type { Computed } from './to-recommendation.ts';

const DAYS = 30;
/** Least amount in USD, and as a part of all cost. */
const LEAST_USD = 1;
const LEAST_PART = 0.01;
const MOST = 50;

type Found = Pick<RecommendationsReply, 'skipped' | 'callsRead' | 'deletedBefore'> & {
  readonly recommendations: readonly Computed[];
  /** Cost of all calls in USD. */
  readonly costUsd: number;
};

/** What would have saved money in the last 30 days, from recorded calls and today's prices. */
export async function findRecommendations(
  ctx: Ctx,
  scope: EventScope & { readonly organizationId: string },
  now: number,
): Promise<Found> {
  const window = { from: startDaysAgo(now, DAYS), to: now + 1 };
  const bounds = { start: formatInstant(window.from), end: formatInstant(now) };
  const { pricer, ...facts } = await readFacts(ctx, scope, { window, now });
  const context = { bounds, now };
  const costUsd = facts.all.reduce((sum, { cost }) => sum + cost, 0);
  const least = Math.max(LEAST_USD, LEAST_PART * costUsd);
  const recommendations = [
    ...facts.failed.flatMap((one) => failedCalls(one, bounds)),
    ...facts.cancelled.flatMap((one) => unusedOutput(pricer, one, context)),
    ...repeatedPrompts(facts.calls, { bounds, isCut: facts.isCut }),
    ...facts.long.flatMap(({ facts: one, above }) => contextTier(pricer, one, { ...context, above })),
    ...cacheGaps(pricer, facts.workloads, context),
    ...facts.unattended.flatMap((one) => batch(pricer, one, context)),
    ...facts.all.flatMap((one) => cheaperModel(pricer, one, context)),
  ]
    .filter(({ monthlyUsd }) => monthlyUsd >= least)
    .toSorted((a, b) => b.monthlyUsd - a.monthlyUsd || (a.id < b.id ? -1 : 1))
    .slice(0, MOST);
  return {
    recommendations,
    costUsd,
    skipped: [...facts.skipped],
    callsRead: { promptHash: facts.calls.filter(({ prompt_hash }) => prompt_hash !== null).length },
    // Some kinds read single calls.
    ...(await deletedCalls(ctx, scope, { runs: [{ window }] })),
  };
}
