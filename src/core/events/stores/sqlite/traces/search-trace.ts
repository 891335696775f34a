import type { Reader } from '../../../../../db/reader.ts';
import { MAX_FOUND_SPANS, type StoredEvent, type TraceMatches } from '../../../contract.ts';
import type { TraceSearch } from '../../../read-queries.ts';
import { toEvent } from '../scan/to-event.ts';
import { findTrace } from './get-trace.ts';

/** The texts of a span in which a search looks. */
const SEARCHED = [
  'name',
  'operation',
  'kind',
  'model',
  'provider',
  'agent',
  'tool',
  'status',
  'error_code',
  'error_message',
  'input',
  'output',
] as const satisfies readonly (keyof StoredEvent)[];

/** The spans of a trace with a text in them; null if the scope has no such trace. */
export function searchTrace(reader: Reader, { traceId, text }: TraceSearch): TraceMatches | null {
  const found = findTrace(reader, traceId);
  if (found === null) return null;
  const sought = text.toLowerCase();
  const event_ids: string[] = [];
  for (const { chunk, place } of found.spans) {
    const event = toEvent(chunk, place, () => null);
    if (!SEARCHED.some((field) => holds(event[field], sought))) continue;
    if (event_ids.length === MAX_FOUND_SPANS) return { event_ids, truncated: true };
    event_ids.push(event.event_id);
  }
  return { event_ids, truncated: found.trace.truncated };
}

/** Whether a text, or one in a JSON value, has another in it. Numbers are compared as they are written. */
function holds(value: unknown, sought: string): boolean {
  if (typeof value === 'string') return value.toLowerCase().includes(sought);
  if (typeof value === 'number') return String(value).includes(sought);
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some((item) => holds(item, sought));
}
