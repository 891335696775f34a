import { type TokenFields, usageFromRaw } from '../../core/pricing/index.ts';
import { isObject } from './attributes.ts';
import { TOKEN_FIELDS, USAGE_DETAILS } from './mapping.ts';
import { firstTokens, parsed, toTokens } from './source.ts';
import type { Span } from './span.ts';

type Counts = { readonly [name: string]: number };
type SpanUsage = { readonly tokens: TokenFields; readonly usage: Counts | null };

export const NO_TOKENS: TokenFields = {
  input_tokens: 0,
  output_tokens: 0,
  cached_input_tokens: 0,
  cache_write_tokens: 0,
  reasoning_tokens: 0,
};

const MOST_COUNTS = 32;

/** The token counts as the sender stated them, with Langfuse's own object where that is their source. */
export function readUsage(span: Span): SpanUsage {
  const tokens = {
    input_tokens: firstTokens(span, TOKEN_FIELDS.input_tokens),
    output_tokens: firstTokens(span, TOKEN_FIELDS.output_tokens),
    cached_input_tokens: firstTokens(span, TOKEN_FIELDS.cached_input_tokens),
    cache_write_tokens: firstTokens(span, TOKEN_FIELDS.cache_write_tokens),
    reasoning_tokens: firstTokens(span, TOKEN_FIELDS.reasoning_tokens),
  };
  if (tokens.input_tokens === null && tokens.output_tokens === null && span.attributes.has(USAGE_DETAILS)) {
    return readDetails(parsed(span.attributes.get(USAGE_DETAILS)));
  }
  return {
    tokens: {
      input_tokens: tokens.input_tokens ?? 0,
      output_tokens: tokens.output_tokens ?? 0,
      cached_input_tokens: tokens.cached_input_tokens ?? 0,
      cache_write_tokens: tokens.cache_write_tokens ?? 0,
      reasoning_tokens: tokens.reasoning_tokens ?? 0,
    },
    usage: null,
  };
}

/**
 * Langfuse's usage_details: counts that stand beside each other, `total` being their sum (Langfuse docs,
 * Token & Cost Tracking). Where the total is `input + output` the parts are in them already. Objects in
 * a provider's own form, which people put there by hand, are read as such.
 */
function readDetails(details: unknown): SpanUsage {
  if (!isObject(details)) return { tokens: NO_TOKENS, usage: null };
  const counts: { [name: string]: number } = Object.create(null);
  for (const [name, value] of Object.entries(details).slice(0, MOST_COUNTS)) {
    const count = toTokens(value);
    if (count !== null && name.length <= 64) counts[name.toWellFormed()] = count;
  }
  if (counts.input === undefined && counts.output === undefined) {
    return { tokens: usageFromRaw(details) ?? NO_TOKENS, usage: counts };
  }
  return { tokens: besideEachOther(counts), usage: counts };
}

function besideEachOther(counts: Counts): TokenFields {
  const input = counts.input ?? 0;
  const output = counts.output ?? 0;
  const cached = counts.input_cached_tokens ?? counts.cache_read_input_tokens ?? 0;
  const written = counts.input_cache_creation ?? counts.cache_creation_input_tokens ?? 0;
  const reasoning = counts.output_reasoning_tokens ?? counts.output_reasoning ?? 0;
  const included = counts.total === input + output;
  return {
    input_tokens: included ? input : input + cached + written,
    output_tokens: included ? output : output + reasoning,
    cached_input_tokens: cached,
    cache_write_tokens: written,
    reasoning_tokens: reasoning,
  };
}
