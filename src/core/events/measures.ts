/** Sums of what guardrails did. They are of events of the kind `guardrail`; all other sums are of calls. */
export const GUARDRAIL_SUMS = [
  'guardrail_checks',
  'guardrail_flags',
  'guardrail_redactions',
  'guardrail_blocks',
] as const;

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
  ...GUARDRAIL_SUMS,
] as const;
export type Sum = (typeof SUM_NAMES)[number];
export type Sums = Readonly<Record<Sum, number>>;

type MeasureDef = {
  readonly sums: readonly Sum[];
  readonly of: (sums: Sums) => number;
  /** Whether the calls tell a value; without it they always do. */
  readonly isKnown?: (sums: Sums) => boolean;
};

const ratio = (part: number, whole: number): number => (whole === 0 ? 0 : part / whole);
const plain = (sum: Sum): MeasureDef => ({ sums: [sum], of: (sums) => sums[sum] });
/** Groups without calls are left out unless a guardrail looked in them, so its looks are always summed. */
const outcome = (sum: Sum): MeasureDef => ({ sums: ['guardrail_checks', sum], of: (sums) => sums[sum] });
const rate = (part: Sum, whole: Sum, factor = 1): MeasureDef => ({
  sums: [part, whole],
  of: (sums) => ratio(sums[part], sums[whole]) * factor,
  isKnown: (sums) => sums[whole] !== 0,
});
/** A mean of microseconds in milliseconds. */
const mean = (sum: Sum, count: Sum): MeasureDef => ({
  sums: [sum, count],
  of: (sums) => ratio(sums[sum], sums[count]) / 1000,
  isKnown: (sums) => sums[count] !== 0,
});
const priced = ({ requests, unpriced }: Sums): number => requests - unpriced;

/** Measures computed from sums. A rate or mean without values is 0, or null if a query asks for `nulls`. */
export const SUM_MEASURES = {
  /** Calls. */
  requests: plain('requests'),
  /** Calls that ended in error, timeout or rate_limited. */
  errors: plain('errors'),
  /** Calls that did not fail. */
  successes: { sums: ['requests', 'errors'], of: (sums) => sums.requests - sums.errors },
  timeouts: plain('timeouts'),
  rateLimited: plain('rate_limited'),
  cancelled: plain('cancelled'),
  /** US dollars. Unknown if no call has a price. */
  cost: {
    sums: ['cost_nano', 'requests', 'unpriced'],
    of: (sums) => sums.cost_nano / 1e9,
    isKnown: (sums) => sums.requests === 0 || priced(sums) !== 0,
  },
  /** Mean cost of the calls that have a price. */
  costAvg: {
    sums: ['cost_nano', 'requests', 'unpriced'],
    of: (sums) => ratio(sums.cost_nano / 1e9, priced(sums)),
    isKnown: (sums) => priced(sums) !== 0,
  },
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
  /** Input and output tokens. */
  tokens: {
    sums: ['input_tokens', 'output_tokens'],
    of: (sums) => sums.input_tokens + sums.output_tokens,
  },
  /** Means over all calls. */
  inputTokensAvg: rate('input_tokens', 'requests'),
  outputTokensAvg: rate('output_tokens', 'requests'),
  /** Fraction of input tokens served from the provider's cache. */
  cacheRate: rate('cache_read_tokens', 'input_tokens'),
  /** Fractions of all calls. */
  errorRate: rate('errors', 'requests'),
  timeoutRate: rate('timeouts', 'requests'),
  rateLimitedRate: rate('rate_limited', 'requests'),
  /** Calls with a latency. */
  latencyCount: plain('latency_count'),
  /** Their mean latency in milliseconds. */
  latencyAvg: mean('latency_us', 'latency_count'),
  /** Mean time to first token in milliseconds, over streamed calls that have one. */
  ttftAvg: mean('ttft_us', 'ttft_count'),
  /** Output tokens per second of generation (latency minus time to first token), over calls with output. */
  tokensPerSec: rate('generation_tokens', 'generation_us', 1e6),
  /** Guardrails that looked at a text, and those that flagged, redacted or blocked it. */
  guardrailChecks: plain('guardrail_checks'),
  guardrailFlags: outcome('guardrail_flags'),
  guardrailRedactions: outcome('guardrail_redactions'),
  guardrailBlocks: outcome('guardrail_blocks'),
  /** Fraction of looks that ended in a block. */
  guardrailBlockRate: rate('guardrail_blocks', 'guardrail_checks'),
} as const satisfies Record<string, MeasureDef>;

/** The times of a call that have percentiles and a histogram. */
export type CallTime = 'latency' | 'ttft';
type PercentileDef = { readonly time: CallTime; readonly q: number };

/**
 * Nearest-rank percentiles in milliseconds; 0 without values, or null if a query asks for `nulls`. Those of the time to
 * first token are over streamed calls that have one, and only over events that retention has not deleted.
 */
export const PERCENTILES = {
  latencyP50: { time: 'latency', q: 0.5 },
  latencyP90: { time: 'latency', q: 0.9 },
  latencyP95: { time: 'latency', q: 0.95 },
  latencyP99: { time: 'latency', q: 0.99 },
  ttftP50: { time: 'ttft', q: 0.5 },
  ttftP90: { time: 'ttft', q: 0.9 },
  ttftP95: { time: 'ttft', q: 0.95 },
  ttftP99: { time: 'ttft', q: 0.99 },
} as const satisfies Record<string, PercentileDef>;

export type Percentile = keyof typeof PERCENTILES;
export type SumMeasure = keyof typeof SUM_MEASURES;
export type Measure = SumMeasure | Percentile;

const OF_GUARDRAILS: ReadonlySet<Sum> = new Set(GUARDRAIL_SUMS);

/** Whether some sums are, also, of events of guardrails. */
export const areOfGuardrails = (sums: readonly Sum[]): boolean => sums.some((sum) => OF_GUARDRAILS.has(sum));

/** True for measures that are not computed from sums. */
export const isPercentile = (measure: Measure): measure is Percentile => measure in PERCENTILES;

/** The value of a measure computed from sums; null if the calls tell none. */
export function measureOf(measure: SumMeasure, sums: Sums): number | null {
  const { of, isKnown }: MeasureDef = SUM_MEASURES[measure];
  return isKnown === undefined || isKnown(sums) ? of(sums) : null;
}

/**
 * The distinct sums that some measures need. Percentiles also need the number of values, and every group needs its
 * number of calls, because groups without calls are left out.
 */
export function sumsFor(measures: readonly Measure[]): Sum[] {
  const needed = measures.flatMap((measure): readonly Sum[] =>
    isPercentile(measure) ? [`${PERCENTILES[measure].time}_count`] : SUM_MEASURES[measure].sums,
  );
  return [...new Set<Sum>(['requests', ...needed])];
}
