import { type Pricer, priceSum } from '../../../core/pricing/index.ts';
import { percentText } from '../../../lib/figures.ts';
import { termOf } from '../../../lib/filter-terms.ts';
import { quoted } from '../../../lib/text/quoted.ts';
import { filterOfModel } from './filter-of-model.ts';
import { type Bounds, bucketsOf, type Computed, type Facts, toRecommendation } from './to-recommendation.ts';

/** Calls of a model by what makes them. */
export type Workload = Facts & { readonly agent: string | null; readonly promptName: string | null };

const LEAST_CALLS = 100;
/** Shorter inputs are not cached by any provider. */
const LEAST_INPUT = 1_024;
/** Smaller differences of the cache rate are chance. */
const LEAST_GAP = 0.1;

const inputOf = (one: Facts): number => one.freshTokens + one.cacheReadTokens + one.cacheWriteTokens;
const rateOf = (one: Facts): number => one.cacheReadTokens / inputOf(one);
const isCacheable = (one: Workload): boolean =>
  one.unpriced === 0 && one.requests >= LEAST_CALLS && inputOf(one) / one.requests >= LEAST_INPUT;

/**
 * Agents and prompts whose input a prompt cache serves less than that of the best one with the same model: what they
 * would cost at its rate.
 */
export function cacheGaps(
  pricer: Pricer,
  workloads: readonly Workload[],
  context: { readonly bounds: Bounds; readonly now: number },
): Computed[] {
  const comparable = workloads.filter(isCacheable);
  return [
    ...Map.groupBy(comparable, ({ provider, model }) => JSON.stringify([provider, model])).values(),
  ].flatMap((of) => {
    const best = of.reduce((top, one) => (rateOf(one) > rateOf(top) ? one : top));
    return of.flatMap((one) => gapOf(pricer, one, best, context));
  });
}

function gapOf(
  pricer: Pricer,
  one: Workload,
  best: Workload,
  { bounds, now }: { readonly bounds: Bounds; readonly now: number },
): Computed[] {
  const { provider, model, requests: calls } = one;
  const gap = rateOf(best) - rateOf(one);
  if (model === null || gap < LEAST_GAP) return [];
  const buckets = bucketsOf(one);
  const moved = Math.min(buckets.fresh, Math.round(gap * inputOf(one)));
  const priceOf = (these: typeof buckets): number =>
    priceSum(pricer, { provider, model, ts: now, buckets: these, calls })?.nano ?? 0;
  const asIs = priceOf(buckets);
  const cached = priceOf({ ...buckets, fresh: buckets.fresh - moved, cacheRead: buckets.cacheRead + moved });
  if (asIs <= 0 || cached >= asIs) return [];
  return [
    toRecommendation(one, model, bounds, {
      kind: 'cache-gap',
      title: `Have the prompt cache serve more of the input of ${nameOf(one)} to ${quoted(model)}`,
      basis: `The cache serves ${percentText(rateOf(one))} of its input, and ${percentText(rateOf(best))} of that of ${nameOf(best)}: what it would cost at that rate, at the price of today.`,
      about: [one.agent, one.promptName],
      savedUsd: one.cost * (1 - cached / asIs),
      confidence: 'low',
      filter: `${filterOfModel(one)} ${termFor('agent', one.agent)} ${termFor('prompt', one.promptName)}`,
    }),
  ];
}

const termFor = (field: string, value: string | null): string =>
  value === null ? `-${field}:*` : termOf(field, value);

const nameOf = ({ agent, promptName }: Workload): string =>
  [
    agent === null ? null : `agent ${quoted(agent)}`,
    promptName === null ? null : `prompt ${quoted(promptName)}`,
  ]
    .filter((part) => part !== null)
    .join(', ') || 'calls without agent and prompt';
