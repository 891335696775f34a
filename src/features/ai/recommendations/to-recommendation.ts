import { createHash } from 'node:crypto';
import type { UsageBuckets } from '../../../core/pricing/index.ts';
import { standardError } from '../../../lib/stats/mean-interval.ts';
import type { Recommendation } from './contract.ts';

/** A recommendation without what people decided about it. */
export type Computed = Omit<Recommendation, 'state' | 'decision' | 'saved' | 'documents'>;

/** Figures of the calls that a recommendation is about. */
export type Facts = {
  readonly provider: string | null;
  readonly model: string | null;
  /** In USD per day. */
  readonly costs: readonly number[];
} & Readonly<Record<FactMeasure, number>>;

/** What is read of the calls of a model. */
export const FACT_MEASURES = [
  'requests',
  'cost',
  'unpriced',
  'freshTokens',
  'cacheReadTokens',
  'cacheWriteTokens',
  'outputTokens',
  'reasoningTokens',
] as const;
type FactMeasure = (typeof FACT_MEASURES)[number];

/** Their tokens as prices name them. Writes to the cache are kept as one sum: all are taken for 5-minute ones. */
export const bucketsOf = (facts: Omit<Facts, 'costs'>): UsageBuckets => ({
  fresh: facts.freshTokens,
  cacheRead: facts.cacheReadTokens,
  cacheWrite5m: facts.cacheWriteTokens,
  cacheWrite1h: 0,
  output: facts.outputTokens - facts.reasoningTokens,
  reasoning: facts.reasoningTokens,
});

/** What a kind says of its calls. `savedUsd` is what they would have cost less. `about` tells those of a model apart. */
type Told = Pick<Computed, 'kind' | 'title' | 'basis' | 'confidence'> & {
  readonly to?: string;
  readonly about?: readonly (string | null)[];
  readonly savedUsd: number;
  readonly filter: string;
  readonly tracked?: string;
};
/** ISO 8601 UTC, both inclusive. */
export type Bounds = { readonly start: string; readonly end: string };

const Z = 1.96;

/** A recommendation of what was found. */
export function toRecommendation(facts: Facts, model: string, bounds: Bounds, told: Told): Computed {
  const { kind, title, basis, confidence, to = null, about = [], savedUsd, filter, tracked = filter } = told;
  // What is saved of a day is the same part of its cost as of all days.
  const margin =
    facts.cost <= 0 ? 0 : (savedUsd / facts.cost) * Z * standardError(facts.costs) * facts.costs.length;
  return {
    id: idOf([kind, facts.provider, model, to, ...about]),
    kind,
    title,
    basis,
    confidence,
    to,
    provider: facts.provider,
    model,
    monthlyUsd: savedUsd,
    range: { lowUsd: Math.max(0, savedUsd - margin), highUsd: savedUsd + margin },
    evidence: {
      calls: facts.requests,
      costUsd: facts.cost,
      outputTokensAvg: facts.requests === 0 ? 0 : facts.outputTokens / facts.requests,
    },
    query: { measures: ['cost', 'requests', 'outputTokensAvg'], filter, ...bounds },
    tracked,
  };
}

/** An id in the form of all others, always the same for the same parts. */
const idOf = (parts: readonly (string | null)[]): string =>
  `rec_${createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)}`;
