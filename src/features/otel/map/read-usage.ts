import { MAX_TOKENS } from '../../../core/events/contract.ts';
import type { TokenFields } from '../../../core/pricing/index.ts';
import { readField } from '../read/source.ts';
import type { Span } from '../read/span.ts';
import {
  CACHE_APART_SCOPES,
  FRESH_TOKENS,
  GEMINI,
  MODEL,
  ONE_HOUR_WRITES,
  TOKENS,
  TOTAL_TOKENS,
  USAGE_DETAILS,
} from './mapping.ts';
import { withMedia } from './read-media.ts';
import { readReplyUsage } from './read-reply-usage.ts';
import { readUsageDetails, type SpanUsage } from './read-usage-details.ts';

/** The token counts of a call. The input always includes cached and cache-write tokens. */
export const readUsage = (span: Span): SpanUsage => withMedia(span, readCounts(span));

function readCounts(span: Span): SpanUsage {
  const input = readField(span, TOKENS.input_tokens);
  const output = readField(span, TOKENS.output_tokens);
  if (input === null && output === null && span.attributes.has(USAGE_DETAILS)) return readUsageDetails(span);
  const sent = {
    input_tokens: input ?? 0,
    output_tokens: output ?? 0,
    cached_input_tokens: readField(span, TOKENS.cached_input_tokens) ?? 0,
    cache_write_tokens: readField(span, TOKENS.cache_write_tokens) ?? 0,
    reasoning_tokens: readField(span, TOKENS.reasoning_tokens) ?? 0,
  };
  const cache = sent.cached_input_tokens + sent.cache_write_tokens;
  const apart = cache > 0 && leavesOutCache(span, sent.input_tokens, cache);
  const input_tokens = apart ? Math.min(sent.input_tokens + cache, MAX_TOKENS) : sent.input_tokens;
  const tokens = readReplyUsage(span, sent) ?? { ...sent, input_tokens, output_tokens: outputOf(span, sent) };
  return withRest(span, { tokens, usage: usageOf(span, sent, apart) });
}

/**
 * Tokens of the client's total that none of its counts has: thoughts of Gemini (google-gemini, UsageMetadata); with other
 * models it is unknown what they are and cost, and the usage says so.
 */
function withRest(span: Span, { tokens, usage }: SpanUsage): SpanUsage {
  const counted = tokens.input_tokens + tokens.output_tokens;
  const rest = counted === 0 ? 0 : (readField(span, TOTAL_TOKENS) ?? 0) - counted;
  if (rest <= 0) return { tokens, usage };
  if (tokens.reasoning_tokens > 0 || !GEMINI.test(readField(span, MODEL) ?? ''))
    return { tokens, usage: { ...usage, uncounted_tokens: rest } };
  const output_tokens = Math.min(tokens.output_tokens + rest, MAX_TOKENS);
  return { tokens: { ...tokens, output_tokens, reasoning_tokens: rest }, usage };
}

/**
 * The output with reasoning. Some instrumentations send Gemini's counts unchanged, whose output leaves reasoning out; the
 * total shows it.
 */
function outputOf(span: Span, { input_tokens, output_tokens, reasoning_tokens }: TokenFields): number {
  if (reasoning_tokens === 0) return output_tokens;
  const whole = output_tokens + reasoning_tokens;
  const isApart = readField(span, TOTAL_TOKENS) === input_tokens + whole;
  return isApart ? Math.min(whole, MAX_TOKENS) : output_tokens;
}

/**
 * Whether the stated input excludes cached and cache-write tokens. The conventions require including them since 1.40.
 * If the parts exceed the input, it excludes them; otherwise the client's own count of fresh tokens decides, or the
 * instrumentation's known behaviour.
 */
function leavesOutCache(span: Span, input: number, cache: number): boolean {
  if (cache > input) return true;
  const fresh = readField(span, FRESH_TOKENS);
  return fresh === null ? CACHE_APART_SCOPES.has(span.scope.name) : fresh === input;
}

/** The counts as sent, if they were interpreted differently, and the one-hour cache writes. */
function usageOf(span: Span, sent: TokenFields, apart: boolean): SpanUsage['usage'] {
  const oneHour = sent.cache_write_tokens > 0 ? (readField(span, ONE_HOUR_WRITES) ?? 0) : 0;
  if (!apart && oneHour === 0) return null;
  return {
    ...(apart ? { input_tokens_without_cache: sent.input_tokens } : {}),
    ...(oneHour > 0 ? { cache_creation: { ephemeral_1h_input_tokens: oneHour } } : {}),
  };
}
