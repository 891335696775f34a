import type { Reader } from '../../../../../db/reader.ts';
import { MAX_FOUND_SPANS, type TraceMatches } from '../../../contract.ts';
import type { TraceSearch } from '../../../read-queries.ts';
import { textSearch } from '../../shared/text-search.ts';
import { toEvent } from '../scan/to-event.ts';
import { findTrace } from './get-trace.ts';

/** The spans of a trace with a text in them; null if the scope has no such trace. */
export function searchTrace(reader: Reader, { traceId, text }: TraceSearch): TraceMatches | null {
  const found = findTrace(reader, traceId);
  if (found === null) return null;
  const holdsText = textSearch(text);
  const event_ids: string[] = [];
  for (const { chunk, place } of found.spans) {
    const event = toEvent(chunk, place, () => null);
    if (!holdsText(event)) continue;
    if (event_ids.length === MAX_FOUND_SPANS) return { event_ids, truncated: true };
    event_ids.push(event.event_id);
  }
  return { event_ids, truncated: found.trace.truncated };
}
