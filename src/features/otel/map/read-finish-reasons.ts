import type { AttributeValue } from '../read/attributes.ts';
import { cleanText, lookUp, parsed } from '../read/source.ts';
import type { Span } from '../read/span.ts';
import { FINISH_REASON_OF_CHOICE, FINISH_REASONS } from './mapping.ts';

const MAX_REASON = 200;
const MOST_REASONS = 16;

/** `first` is the event's; `all` as they were sent. */
export type FinishReasons = { readonly first: string | null; readonly all: readonly string[] };

export const NO_REASONS: FinishReasons = { first: null, all: [] };

/**
 * The finish reason of each choice. Clients send a list, a text (LangSmith: with commas), a list as JSON text, or one
 * attribute per choice. Sentry collects `in_progress` from stream chunks; it is ignored if another reason follows.
 */
export function readFinishReasons(span: Span): FinishReasons {
  for (const source of FINISH_REASONS) {
    const value = parsed(lookUp(span, source) as AttributeValue | undefined);
    if (value === undefined || value === null) continue;
    const all = source === FINISH_REASON_OF_CHOICE(0) ? ofChoices(span) : toList(value);
    const first = all.find((reason) => reason !== 'in_progress') ?? all[0];
    if (first === undefined) continue;
    span.note?.('finish_reason', source, first);
    return { first, all };
  }
  return NO_REASONS;
}

function toList(value: unknown): string[] {
  const list: unknown[] = typeof value === 'string' ? value.split(', ') : Array.isArray(value) ? value : [];
  return list.slice(0, MOST_REASONS).flatMap((item) => cleanText(item, MAX_REASON) ?? []);
}

function ofChoices(span: Span): string[] {
  const reasons: string[] = [];
  for (let choice = 0; choice < MOST_REASONS; choice++) {
    const reason = cleanText(span.attributes.get(FINISH_REASON_OF_CHOICE(choice)), MAX_REASON);
    if (reason === null) break;
    reasons.push(reason);
  }
  return reasons;
}
