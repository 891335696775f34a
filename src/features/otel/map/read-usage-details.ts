import { MAX_TOKENS } from '../../../core/events/contract.ts';
import { type TokenFields, usageFromRaw } from '../../../core/pricing/index.ts';
import { isObject } from '../read/attributes.ts';
import { parsed, toTokens } from '../read/source.ts';
import type { Span } from '../read/span.ts';
import { USAGE_DETAILS } from './mapping.ts';

/** `usage`: counts from the client that are not fields of the event, for explaining the cost. */
export type SpanUsage = {
  readonly tokens: TokenFields;
  readonly usage: Readonly<Record<string, unknown>> | null;
};

export const NO_TOKENS: TokenFields = {
  input_tokens: 0,
  output_tokens: 0,
  cached_input_tokens: 0,
  cache_write_tokens: 0,
  reasoning_tokens: 0,
};

type Counts = { readonly [name: string]: number };

const MOST_COUNTS = 32;
const CACHED = /^(?:input_)?cache(?:d|_read)/;
const WRITTEN = /^(?:input_)?cache_(?:creation|write)/;
const REASONING = /reasoning|thinking|thought/;

/**
 * Reads Langfuse's usage_details: separate counts whose names start with `input` or `output`, or are Anthropic's names
 * for a part of the input (Langfuse docs, Token & Cost Tracking). If `total` equals `input` + `output`, these include
 * the parts. Objects in a provider's own format, which users pass by hand, are read in that format.
 */
export function readUsageDetails(span: Span): SpanUsage {
  const details = parsed(span.attributes.get(USAGE_DETAILS));
  if (!isObject(details)) return { tokens: NO_TOKENS, usage: null };
  const counts: { [name: string]: number } = Object.create(null);
  for (const [name, value] of Object.entries(details).slice(0, MOST_COUNTS)) {
    const count = toTokens(value);
    if (count !== null && name.length <= 64) counts[name.toWellFormed()] = count;
  }
  const isOwnForm = counts.input !== undefined || counts.output !== undefined;
  const tokens = isOwnForm ? besideEachOther(counts) : (usageFromRaw(details) ?? NO_TOKENS);
  for (const field in tokens) span.note?.(field, USAGE_DETAILS, tokens[field as keyof TokenFields]);
  return { tokens, usage: counts };
}

function besideEachOther(counts: Counts): TokenFields {
  const sum = (matches: (name: string) => boolean): number =>
    Object.keys(counts).reduce((total, name) => (matches(name) ? total + (counts[name] ?? 0) : total), 0);
  const { input = 0, output = 0, total } = counts;
  const isPart = (name: string): boolean => CACHED.test(name) || WRITTEN.test(name);
  const included = total === input + output;
  return {
    input_tokens: included ? input : cap(sum((name) => /^input(?:_|$)/.test(name) || isPart(name))),
    output_tokens: included ? output : cap(sum((name) => /^output(?:_|$)/.test(name))),
    cached_input_tokens: cap(sum((name) => CACHED.test(name))),
    cache_write_tokens: cap(sum((name) => WRITTEN.test(name))),
    reasoning_tokens: cap(sum((name) => REASONING.test(name))),
  };
}

const cap = (count: number): number => Math.min(count, MAX_TOKENS);
