import type { Reader } from '../../../../../db/reader.ts';
import type { EventPage } from '../../../contract.ts';
import type { SessionEventsQuery } from '../../../read-queries.ts';
import { withLabels } from '../labels/label-filter.ts';
import { UUID } from '../packs/id-bytes.ts';
import { decodeCursor, encodeCursor } from '../queries/cursor.ts';
import { findHits, positionOf } from '../scan/find-hits.ts';
import { keyOfLabels } from '../scan/key-of-label.ts';
import { matchesOf } from '../scan/match.ts';
import { ALL_TIME, chunksOf } from '../scan/open-chunks.ts';
import { toEvent } from '../scan/to-event.ts';
import { sessionPlaces } from './session-places.ts';

/**
 * The events of a session, oldest first, like a conversation. Null on the first page of an unknown session. Throws
 * 400 for an invalid cursor.
 */
export function listSessionEvents(
  reader: Reader,
  { sessionId, filters, calls, cursor, limit }: SessionEventsQuery,
): Omit<EventPage, 'total'> | null {
  const after = cursor === null ? null : decodeCursor(cursor, (id) => UUID.test(id));
  const [project] = reader.projects;
  if (project === undefined) return null;
  const selection = withLabels(reader, { filters: { ...filters, sessionId }, calls });
  const window = { from: after?.ts ?? ALL_TIME.from, to: ALL_TIME.to };
  const chunks = chunksOf(reader, project, window);
  const query = { order: 'oldest', after, limit: limit + 1 } as const;
  const hits = findHits(chunks, (chunk) => matchesOf(chunk, selection, window), query);
  const isKnown = (): boolean => chunks.some((ref) => sessionPlaces(ref.open(), [sessionId]).size > 0);
  if (hits.length === 0 && after === null && !isKnown()) return null;
  const page = hits.slice(0, limit);
  const last = page.at(-1);
  const keyOf = keyOfLabels(reader);
  return {
    events: page.map(({ chunk, place }) => toEvent(chunk, place, keyOf)),
    nextCursor: hits.length > limit && last !== undefined ? encodeCursor(positionOf(last)) : null,
  };
}
