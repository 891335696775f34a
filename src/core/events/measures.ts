/**
 * The additive sums from which all measures are computed. Tokens per bucket, `cost_nano` in nano-dollars, `*_us` in
 * whole microseconds.
 */
export const SUM_NAMES = [
  'requests',
  'errors',
  'timeouts',
  'rate_limited',
  'cancelled',
  'cost_nano',
  'unpriced',
  'unpriced_input_tokens',
  'unpriced_output_tokens',
  'input_tokens',
  'fresh_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
  'output_tokens',
  'reasoning_tokens',
  'latency_us',
  'latency_count',
  'ttft_us',
  'ttft_count',
  'generation_us',
  'generation_tokens',
] as const;
export type Sum = (typeof SUM_NAMES)[number];
export type Sums = Readonly<Record<Sum, number>>;

type MeasureDef = { readonly sums: readonly Sum[]; readonly of: (sums: Sums) => number };

const ratio = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);
const plain = (sum: Sum): MeasureDef => ({ sums: [sum], of: (sums) => sums[sum] });
const rate = (part: Sum, whole: Sum, factor = 1): MeasureDef => ({
  sums: [part, whole],
  of: (sums) => ratio(sums[part], sums[whole]) * factor,
});

/** Measures computed from sums. A rate or mean without values is 0. */
export const SUM_MEASURES = {
  /** Calls. */
  requests: plain('requests'),
  /** Calls that ended in error, timeout or rate_limited. */
  errors: plain('errors'),
  timeouts: plain('timeouts'),
  rateLimited: plain('rate_limited'),
  cancelled: plain('cancelled'),
  /** US dollars. */
  cost: { sums: ['cost_nano'], of: (sums) => sums.cost_nano / 1e9 },
  /** Calls whose model has no known price. They are not part of any cost. */
  unpriced: plain('unpriced'),
  /** Tokens of those calls. */
  unpricedInputTokens: plain('unpriced_input_tokens'),
  unpricedOutputTokens: plain('unpriced_output_tokens'),
  /** Tokens; input = fresh + cache read + cache write, output includes reasoning. */
  inputTokens: plain('input_tokens'),
  freshTokens: plain('fresh_tokens'),
  cacheReadTokens: plain('cache_read_tokens'),
  cacheWriteTokens: plain('cache_write_tokens'),
  outputTokens: plain('output_tokens'),
  reasoningTokens: plain('reasoning_tokens'),
  /** Fraction of input tokens served from the provider's cache. */
  cacheRate: rate('cache_read_tokens', 'input_tokens'),
  /** Fractions of all calls. */
  errorRate: rate('errors', 'requests'),
  timeoutRate: rate('timeouts', 'requests'),
  /** Calls with a latency. */
  latencyCount: plain('latency_count'),
  /** Their mean latency in milliseconds. */
  latencyAvg: {
    sums: ['latency_us', 'latency_count'],
    of: (sums) => ratio(sums.latency_us, sums.latency_count) / 1000,
  },
  /** Mean time to first token in milliseconds, over streamed calls that have one. */
  ttftAvg: { sums: ['ttft_us', 'ttft_count'], of: (sums) => ratio(sums.ttft_us, sums.ttft_count) / 1000 },
  /** Output tokens per second of generation (latency minus time to first token), over calls with output. */
  tokensPerSec: rate('generation_tokens', 'generation_us', 1e6),
} as const satisfies Record<string, MeasureDef>;

/** Nearest-rank percentiles of the latency in milliseconds; 0 without values. */
export const PERCENTILES = { latencyP50: 0.5, latencyP90: 0.9, latencyP95: 0.95, latencyP99: 0.99 } as const;

export type Percentile = keyof typeof PERCENTILES;
export type SumMeasure = keyof typeof SUM_MEASURES;
export type Measure = SumMeasure | Percentile;

/** True for measures that are not computed from sums. */
export const isPercentile = (measure: Measure): measure is Percentile => measure in PERCENTILES;

/**
 * The distinct sums that some measures need. Percentiles also need the number of values, and every group needs its
 * number of calls, because groups without calls are left out.
 */
export function sumsFor(measures: readonly Measure[]): Sum[] {
  const needed = measures.flatMap((measure): readonly Sum[] =>
    isPercentile(measure) ? ['latency_count'] : SUM_MEASURES[measure].sums,
  );
  return [...new Set<Sum>(['requests', ...needed])];
}
