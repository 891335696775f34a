import { FINISH_REASONS } from './mapping.ts';
import { cleanText, lookUp, parsed } from './source.ts';
import type { AttributeValue, Span } from './span.ts';

const MAX_REASON = 200;

/**
 * Why the model stopped, of each choice. Clients send a list, a single text, or a list as JSON text.
 * `in_progress`, which Sentry gathers from a stream's chunks, is no reason.
 */
export function readFinishReasons(span: Span): string[] {
  for (const source of FINISH_REASONS) {
    const value = parsed(lookUp(span, source) as AttributeValue | undefined);
    const list: unknown[] = Array.isArray(value) ? value : [value];
    const reasons = list
      .flatMap((item) => cleanText(item, MAX_REASON) ?? [])
      .filter((reason) => reason !== 'in_progress');
    if (reasons.length > 0) return reasons;
  }
  return [];
}
