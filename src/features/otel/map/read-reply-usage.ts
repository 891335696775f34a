import { type TokenFields, usageFromRaw } from '../../../core/pricing/index.ts';
import { isObject } from '../read/attributes.ts';
import { json, lookUp } from '../read/source.ts';
import type { Span } from '../read/span.ts';

/** The provider's reply as JSON text. */
const REPLY = 'output.value';
/** Where a reply has its usage object, by the instrumentation that attaches the reply. */
const USAGE: ReadonlyMap<string, readonly string[]> = new Map([
  ['@arizeai/openinference-instrumentation-bedrock', ['usage']],
  [
    '@arizeai/openinference-instrumentation-langchain',
    ['generations', '0', '0', 'message', 'kwargs', 'usage_metadata'],
  ],
]);

/**
 * The token counts of the attached reply, for instrumentations of OpenInference whose own counts leave out a part of the
 * input: what Bedrock's Converse read from and wrote to the cache, and what LangChain's models wrote to it. Null if the
 * reply says no more than they do.
 */
export function readReplyUsage(span: Span, sent: TokenFields): TokenFields | null {
  const path = USAGE.get(span.scope.name);
  const usage = path === undefined ? undefined : lookUp(span, json(REPLY, ...path));
  const counted = isObject(usage) ? usageFromRaw(usage) : null;
  if (counted === null) return null;
  const cacheOf = (of: TokenFields): number => of.cached_input_tokens + of.cache_write_tokens;
  if (cacheOf(counted) <= cacheOf(sent)) return null;
  for (const field in counted) span.note?.(field, REPLY, counted[field as keyof TokenFields]);
  return counted;
}
