import { canonicalModel, hasBatchDiscount, type Pricer, priceSum } from '../../../core/pricing/index.ts';
import { formatTerm } from '../../../lib/filter-terms.ts';
import { quoted } from '../../../lib/text/quoted.ts';
import { filterOfModel } from './filter-of-model.ts';
import { smallerModels } from './smaller-models.ts';
import { type Bounds, bucketsOf, type Computed, type Facts, toRecommendation } from './to-recommendation.ts';

/** Least calls of a model that is to be replaced, and most output tokens of its mean call: short answers are simple ones. */
const LEAST_CALLS = 100;
const MOST_OUTPUT = 200;
/** What batches cost of the list price where a provider has them. */
const BATCH_FACTOR = 0.5;

type Context = { readonly bounds: Bounds; readonly now: number };

/** A smaller model of the same family, for calls with short answers. The same tokens are assumed. */
export function cheaperModel(pricer: Pricer, facts: Facts, { bounds, now }: Context): Computed[] {
  const { provider, model, requests: calls, outputTokens } = facts;
  if (model === null || facts.unpriced > 0 || calls < LEAST_CALLS || outputTokens / calls > MOST_OUTPUT)
    return [];
  const buckets = bucketsOf(facts);
  for (const to of smallerModels(model)) {
    const priced = priceSum(pricer, { provider, model: to, ts: now, buckets, calls });
    const saved = priced === null ? 0 : facts.cost - priced.nano / 1e9;
    if (saved <= 0) continue;
    return [
      toRecommendation(facts, model, bounds, {
        kind: 'cheaper-model',
        title: `Try ${quoted(to)} for calls of ${quoted(model)} with short answers`,
        basis: `What the calls cost, minus the same tokens at today's prices of ${quoted(to)}.`,
        to,
        savedUsd: saved,
        confidence: 'low',
        filter: filterOfModel(facts),
        // The calls move to the other model, so that both are compared.
        tracked: formatTerm({
          field: 'model',
          not: false,
          operator: ':',
          values: [model, to].map((text) => ({ text, isQuoted: true })),
        }),
      }),
    ];
  }
  return [];
}

/** The filter of calls that nobody seems to wait for: not streamed, without an end user and a session. */
export const UNATTENDED = 'status:success stream:false -user:* -session:*';

/** The price of batches for calls that nobody seems to wait for, as far as they do not have it already. */
export function batch(pricer: Pricer, facts: Facts, { bounds, now }: Context): Computed[] {
  const { provider, model, requests: calls } = facts;
  if (model === null || facts.unpriced > 0 || calls < LEAST_CALLS) return [];
  if (!hasBatchDiscount(canonicalModel(provider, model).provider)) return [];
  const priced = priceSum(pricer, { provider, model, ts: now, buckets: bucketsOf(facts), calls });
  const saved = priced === null ? 0 : facts.cost - (priced.nano / 1e9) * BATCH_FACTOR;
  if (saved <= 0) return [];
  return [
    toRecommendation(facts, model, bounds, {
      kind: 'batch',
      title: `Send calls of ${quoted(model)} as batches where nobody waits for the answer`,
      basis:
        "What successful calls cost that were not streamed and have neither an end user nor a session, minus half of today's price, which batches cost.",
      savedUsd: saved,
      confidence: 'low',
      filter: `${filterOfModel(facts)} ${UNATTENDED}`,
    }),
  ];
}

/**
 * From how many input tokens on the price of a model is higher; null without such a tier. `context_above` of a price is
 * the bound that its call exceeds.
 */
export function tierOf(pricer: Pricer, facts: Pick<Facts, 'provider' | 'model'>, now: number): number | null {
  const aboveAt = (fresh: number): number | null => {
    const buckets = { fresh, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 1, reasoning: 0 };
    const price = pricer.priceCall({ ...facts, ts: now, buckets, answered: true });
    return price.status === 'unpriced' ? null : price.price.context_above;
  };
  let above = aboveAt(LONGEST_INPUT);
  for (let lower = above; lower !== null; lower = aboveAt(lower)) above = lower;
  return above;
}
const LONGEST_INPUT = 50_000_000;

/** The higher price of long inputs: what shorter ones would save at least. */
export function contextTier(
  pricer: Pricer,
  facts: Facts,
  { bounds, now, above }: Context & { readonly above: number },
): Computed[] {
  const { provider, model, requests: calls } = facts;
  if (model === null || facts.unpriced > 0 || calls === 0) return [];
  const buckets = bucketsOf(facts);
  const tokens = facts.freshTokens + facts.cacheReadTokens + facts.cacheWriteTokens;
  // Divided into so many calls, each is below the tier.
  const short = Math.ceil((tokens / above) * 2) + 1;
  const priceOf = (of: number): number =>
    priceSum(pricer, { provider, model, ts: now, buckets, calls: of })
      ?.lines.filter(({ bucket }) => bucket !== 'request')
      .reduce((sum, { amount_nano }) => sum + amount_nano, 0) ?? 0;
  const [long, flat] = [priceOf(calls), priceOf(short)];
  if (long <= 0 || flat >= long) return [];
  return [
    toRecommendation(facts, model, bounds, {
      kind: 'context-tier',
      title: `Keep inputs of ${quoted(model)} at ${above.toLocaleString('en-US')} tokens or less`,
      basis: `What calls with longer inputs cost, without the price of the same tokens below the tier; fewer tokens save more.`,
      savedUsd: facts.cost * (1 - flat / long),
      confidence: 'medium',
      filter: `${filterOfModel(facts)} input>${above}`,
    }),
  ];
}
