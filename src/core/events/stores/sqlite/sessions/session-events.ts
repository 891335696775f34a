import type { Reader } from '../../../../../db/reader.ts';
import type { EventPage, StoredEvent } from '../../../contract.ts';
import type { SessionEventsQuery } from '../../../read-queries.ts';
import { decodeCursor, encodeCursor } from '../../shared/order/cursor.ts';
import { UUID } from '../../shared/order/uuid.ts';
import { textSearch } from '../../shared/text-search.ts';
import { withLabels } from '../labels/label-filter.ts';
import { findHits, type Hit, positionOf } from '../scan/find-hits.ts';
import { keyOfLabels } from '../scan/key-of-label.ts';
import { matchesOf } from '../scan/match.ts';
import { ALL_TIME, chunksOf } from '../scan/open-chunks.ts';
import { toEvent } from '../scan/to-event.ts';
import { sessionPlaces } from './session-places.ts';

/** Events whose contents a search of one page reads at most. */
const MAX_SEARCHED = 1_000;

/**
 * The events of a session, oldest first, like a conversation. With a text, a page can have fewer than `limit` of them,
 * even none, and another page after it. Null on the first page of an unknown session. Throws
 * 400 for an invalid cursor.
 */
export function listSessionEvents(
  reader: Reader,
  { sessionId, filters, calls, text, cursor, limit }: SessionEventsQuery,
): Omit<EventPage, 'total'> | null {
  const after = cursor === null ? null : decodeCursor(cursor, (id) => UUID.test(id));
  const [project] = reader.projects;
  if (project === undefined) return null;
  const selection = withLabels(reader, { filters: { ...filters, sessionId }, calls });
  const window = { from: after?.ts ?? ALL_TIME.from, to: ALL_TIME.to };
  const chunks = chunksOf(reader, project, window);
  const read = text === undefined ? limit : MAX_SEARCHED;
  const query = { order: 'oldest', after, limit: read + 1 } as const;
  const hits = findHits(chunks, (chunk) => matchesOf(chunk, selection, window), query);
  const isKnown = (): boolean => chunks.some((ref) => sessionPlaces(ref.open(), [sessionId]).size > 0);
  if (hits.length === 0 && after === null && !isKnown()) return null;
  const keyOf = keyOfLabels(reader);
  const isWanted = text === undefined ? () => true : textSearch(text);
  const events: StoredEvent[] = [];
  let seen = 0;
  while (events.length < limit && seen < Math.min(read, hits.length)) {
    const { chunk, place } = hits[seen++] as Hit;
    const event = toEvent(chunk, place, keyOf);
    if (isWanted(event)) events.push(event);
  }
  const last = hits[seen - 1];
  return {
    events,
    nextCursor: hits.length > seen && last !== undefined ? encodeCursor(positionOf(last)) : null,
  };
}
