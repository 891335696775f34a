import type { UsageBuckets } from './buckets.ts';
import type { RawCounts, RawUsage, TokenFields } from './raw-usage.ts';
import { oneHourWrites, readRawUsage, toCount } from './raw-usage.ts';

/** Token counts as the client sent them, and the provider's usage object if there is one. */
export type SentUsage = TokenFields & { readonly usage: RawUsage | null };

/** Whether a count includes its parts (`inclusive`) or not (`exclusive`). */
type CountMode = 'inclusive' | 'exclusive';

export type NormalizedUsage = {
  readonly buckets: UsageBuckets;
  /** Whether `input_tokens` was read as including cached and cache-write tokens. */
  readonly cacheMode: CountMode;
  /** Whether `output_tokens` was read as including reasoning tokens. */
  readonly reasoningMode: CountMode;
  /** The reason, as text for the explanation of a cost. */
  readonly reason: string;
};

type Side = { readonly mode: CountMode; readonly why: string };

const CACHE_INCLUDED: Side = { mode: 'inclusive', why: 'input includes cached tokens' };
const CACHE_EXCEEDS: Side = { mode: 'exclusive', why: 'cached tokens exceed the input and are added to it' };
const CACHE_APART: Side = {
  mode: 'exclusive',
  why: 'the raw usage counts cached tokens separately from the input',
};
const REASONING_INCLUDED: Side = { mode: 'inclusive', why: 'output includes reasoning tokens' };
const REASONING_EXCEEDS: Side = {
  mode: 'exclusive',
  why: 'reasoning tokens exceed the output and are added to it',
};
const REASONING_APART: Side = {
  mode: 'exclusive',
  why: 'the raw usage counts reasoning tokens separately from the output',
};

/**
 * The raw object decides only if its count equals the stated one. A client that sums Anthropic's parts into an
 * inclusive `input_tokens`, as OpenTelemetry requires, and also attaches the raw object states another number, so its
 * input is read as inclusive.
 */
function cacheSide(input: number, cache: number, raw: RawCounts | null): Side {
  if (cache > input) return CACHE_EXCEEDS;
  return cache > 0 && raw?.cacheApart && raw.input === input ? CACHE_APART : CACHE_INCLUDED;
}

function reasoningSide(output: number, reasoning: number, raw: RawCounts | null): Side {
  if (reasoning > output) return REASONING_EXCEEDS;
  return reasoning > 0 && raw?.reasoningApart && raw.output === output ? REASONING_APART : REASONING_INCLUDED;
}

/**
 * Converts sent counts into disjoint, non-negative buckets. Input includes cached and cache-write tokens and output
 * includes reasoning (OpenTelemetry semantic conventions 1.40, 1.41), unless the parts exceed the whole or the
 * provider's usage object says otherwise. Missing parts are read from the usage object if it agrees on the whole.
 * Cache writes are 5-minute ones, except those in `usage.cache_creation.ephemeral_1h_input_tokens` (Anthropic Messages
 * API).
 */
export function normalizeUsage(sent: SentUsage): NormalizedUsage {
  const raw = sent.usage === null ? null : readRawUsage(sent.usage);
  const input = toCount(sent.input_tokens);
  const output = toCount(sent.output_tokens);
  let cacheRead = toCount(sent.cached_input_tokens);
  let written = toCount(sent.cache_write_tokens);
  let reasoning = toCount(sent.reasoning_tokens);
  if (cacheRead + written === 0 && raw?.input === input) {
    cacheRead = raw.cached;
    written = raw.written;
  }
  if (reasoning === 0 && raw?.output === output) reasoning = raw.reasoning;

  const cacheWrite1h = sent.usage === null ? 0 : Math.min(written, oneHourWrites(sent.usage));
  const cache = cacheSide(input, cacheRead + written, raw);
  const thought = reasoningSide(output, reasoning, raw);
  return {
    buckets: {
      fresh: cache.mode === 'exclusive' ? input : input - cacheRead - written,
      cacheRead,
      cacheWrite5m: written - cacheWrite1h,
      cacheWrite1h,
      output: thought.mode === 'exclusive' ? output : output - reasoning,
      reasoning,
    },
    cacheMode: cache.mode,
    reasoningMode: thought.mode,
    reason: `${cache.why}; ${thought.why}`,
  };
}
