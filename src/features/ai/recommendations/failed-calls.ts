import { type Pricer, priceSum } from '../../../core/pricing/index.ts';
import { quoted } from '../../../lib/text/quoted.ts';
import { filterOfModel } from './filter-of-model.ts';
import { type Bounds, bucketsOf, type Computed, type Facts, toRecommendation } from './to-recommendation.ts';

/** Calls that failed and were billed all the same: among them those that a retry repeated. */
export function failedCalls(facts: Facts, bounds: Bounds): Computed[] {
  if (facts.model === null || facts.cost <= 0) return [];
  return [
    toRecommendation(facts, facts.model, bounds, {
      kind: 'failed-calls',
      title: `Avoid failed calls of ${quoted(facts.model)}: they were paid`,
      basis: 'What all calls cost that ended in an error, a timeout or a rate limit.',
      savedUsd: facts.cost,
      confidence: 'high',
      filter: `${filterOfModel(facts)} status:failed`,
    }),
  ];
}

/** The output of calls that were cancelled: it was generated and paid, and nobody took it. */
export function unusedOutput(
  pricer: Pricer,
  facts: Facts,
  { bounds, now }: { readonly bounds: Bounds; readonly now: number },
): Computed[] {
  if (facts.model === null || facts.cost <= 0) return [];
  const { provider, model, requests: calls } = facts;
  const priced = priceSum(pricer, { provider, model, ts: now, buckets: bucketsOf(facts), calls });
  if (priced === null || priced.nano <= 0) return [];
  const output = priced.lines
    .filter(({ bucket }) => bucket === 'output' || bucket === 'reasoning')
    .reduce((sum, { amount_nano }) => sum + amount_nano, 0);
  return [
    toRecommendation(facts, model, bounds, {
      kind: 'unused-output',
      title: `Stop ${quoted(model)} earlier: cancelled calls had paid output`,
      basis: 'The part of the cost of cancelled calls that their output tokens have by price.',
      savedUsd: (facts.cost * output) / priced.nano,
      confidence: 'high',
      filter: `${filterOfModel(facts)} status:cancelled`,
    }),
  ];
}
