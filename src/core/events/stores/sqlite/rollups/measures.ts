import { EVENT_STATUSES, type EventStatus } from '../../../contract.ts';
import { FAILED_STATUSES } from '../rows/event-filters.ts';
import { RAW_SUMS, ROLLUP_SUMS } from './rollup.ts';

/** How a sum is written over a roll-up and over rows; total() can't overflow. */
type SumSql = { readonly rollup: string; readonly raw: string };

const countOf = (...statuses: readonly EventStatus[]): SumSql => {
  const codes = statuses.map((status) => EVENT_STATUSES.indexOf(status)).join(', ');
  return { rollup: `total(iif(status IN (${codes}), requests, 0))`, raw: `total(status IN (${codes}))` };
};

type RollupSum = (typeof ROLLUP_SUMS)[number];
type CountSum = 'failed' | 'timeouts' | 'rate_limited' | 'cancelled';
export type Sum = RollupSum | CountSum;

/** The additive figures of which all measures are made. */
export const SUMS: Readonly<Record<Sum, SumSql>> = {
  ...(Object.fromEntries(
    ROLLUP_SUMS.map((name) => [name, { rollup: `total(${name})`, raw: RAW_SUMS[name] }]),
  ) as Record<RollupSum, SumSql>),
  failed: countOf(...FAILED_STATUSES),
  timeouts: countOf('timeout'),
  rate_limited: countOf('rate_limited'),
  cancelled: countOf('cancelled'),
};

export type Sums = Readonly<Record<Sum, number>>;
type MeasureDef = { readonly sums: readonly Sum[]; readonly of: (sums: Sums) => number };

const ratio = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);
const plain = (sum: Sum): MeasureDef => ({ sums: [sum], of: (sums) => sums[sum] });
const inputOf = (sums: Sums): number => sums.fresh_tokens + sums.cache_read_tokens + sums.cache_write_tokens;

/** Measures made of sums. A rate or mean over nothing is 0. */
export const SUM_MEASURES = {
  /** Calls. */
  requests: plain('requests'),
  /** Calls that ended in error, timeout or rate_limited. */
  errors: plain('failed'),
  timeouts: plain('timeouts'),
  rateLimited: plain('rate_limited'),
  cancelled: plain('cancelled'),
  /** US dollars. */
  cost: { sums: ['cost_nano'], of: (sums) => sums.cost_nano / 1e9 },
  /** Calls whose model has no known price; they are in no cost. */
  unpriced: plain('unpriced'),
  /** Tokens of those calls. */
  unpricedInputTokens: plain('unpriced_input_tokens'),
  unpricedOutputTokens: plain('unpriced_output_tokens'),
  /** Tokens; input = fresh + cache read + cache write, output includes reasoning. */
  inputTokens: { sums: ['fresh_tokens', 'cache_read_tokens', 'cache_write_tokens'], of: inputOf },
  freshTokens: plain('fresh_tokens'),
  cacheReadTokens: plain('cache_read_tokens'),
  cacheWriteTokens: plain('cache_write_tokens'),
  outputTokens: plain('output_tokens'),
  reasoningTokens: plain('reasoning_tokens'),
  /** Fraction of the input tokens that the provider's cache served. */
  cacheRate: {
    sums: ['fresh_tokens', 'cache_read_tokens', 'cache_write_tokens'],
    of: (sums) => ratio(sums.cache_read_tokens, inputOf(sums)),
  },
  /** Fractions of all calls. */
  errorRate: { sums: ['failed', 'requests'], of: (sums) => ratio(sums.failed, sums.requests) },
  timeoutRate: { sums: ['timeouts', 'requests'], of: (sums) => ratio(sums.timeouts, sums.requests) },
  /** Calls that stated a latency. */
  latencyCount: plain('latency_count'),
  /** Mean milliseconds over them. */
  latencyAvg: {
    sums: ['latency_us', 'latency_count'],
    of: (sums) => ratio(sums.latency_us, sums.latency_count) / 1000,
  },
  /** Mean milliseconds to the first token over streamed calls that stated it. */
  ttftAvg: { sums: ['ttft_us', 'ttft_count'], of: (sums) => ratio(sums.ttft_us, sums.ttft_count) / 1000 },
  /** Output tokens by the seconds in which they were generated (latency less TTFT), over calls with output. */
  tokensPerSec: {
    sums: ['generation_tokens', 'generation_us'],
    of: (sums) => ratio(sums.generation_tokens, sums.generation_us) * 1e6,
  },
} as const satisfies Record<string, MeasureDef>;

/** Nearest-rank percentiles of the latency in milliseconds; 0 over nothing. */
export const PERCENTILES = { latencyP50: 0.5, latencyP90: 0.9, latencyP95: 0.95, latencyP99: 0.99 } as const;

export type Percentile = keyof typeof PERCENTILES;
export type SumMeasure = keyof typeof SUM_MEASURES;
export type Measure = SumMeasure | Percentile;

/** True for measures that are not made of sums. */
export const isPercentile = (measure: Measure): measure is Percentile => measure in PERCENTILES;

/**
 * The sums that some measures need, each once. Percentiles need to know how many values there are, and
 * every group how many calls, since one that has none is left out.
 */
export function sumsFor(measures: readonly Measure[]): Sum[] {
  const needed = measures.flatMap((measure): readonly Sum[] =>
    isPercentile(measure) ? ['latency_count'] : SUM_MEASURES[measure].sums,
  );
  return [...new Set<Sum>(['requests', ...needed])];
}
