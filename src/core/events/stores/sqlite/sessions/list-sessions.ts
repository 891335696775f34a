import type { Reader } from '../../../../../db/reader.ts';
import type { LinesPageQuery, PageQuery, SessionPage } from '../../../read-queries.ts';
import { decodeCursor, encodeCursor, type Position } from '../../shared/order/cursor.ts';
import { UUID } from '../../shared/order/uuid.ts';
import { withLabels } from '../labels/label-filter.ts';
import { sessionGroups } from '../order/groups.ts';
import { sortedIds } from '../order/sort-lines.ts';
import { newestHits } from '../queries/list-events.ts';
import { comparePosition, positionOf } from '../scan/find-hits.ts';
import { matchesOf } from '../scan/match.ts';
import { chunksOf } from '../scan/open-chunks.ts';
import { textAt } from '../scan/to-event.ts';
import { readSessions } from './session-lines.ts';
import { sessionPlaces } from './session-places.ts';

/** Events per read and per page; one busy session may use them up. */
const EVENTS = 500;
const MAX_EVENTS = 10_000;

/**
 * Sessions by the time of their last matching event, newest first, each with the sums of all its events. A session
 * that receives events during paging moves to the front. A page may have fewer than `limit` entries and still be
 * followed by another. Another order is that of `sortedIds`. Throws 400 for an invalid cursor.
 */
export function listSessions(reader: Reader, given: LinesPageQuery): SessionPage {
  const [project] = reader.projects;
  if (project === undefined) return { sessions: [], nextCursor: null };
  const query = withLabels(reader, given);
  if (given.order !== undefined) return sortedSessions(reader, project, { ...query, order: given.order });
  const after = query.cursor === null ? null : decodeCursor(query.cursor, (id) => UUID.test(id));
  const { ids, next } = findSessions(reader, project, query, after);
  const earlier = after === null ? new Set() : seenAfter(reader, project, query, { ids, after });
  const shown = ids.filter((id) => !earlier.has(id));
  return {
    sessions: readSessions(reader, project, shown),
    nextCursor: next === null ? null : encodeCursor(next),
  };
}

function sortedSessions(
  reader: Reader,
  project: number,
  query: Parameters<typeof sortedIds>[1],
): SessionPage {
  const { places, nextCursor } = sortedIds(reader, query, { groups: sessionGroups, ts: 'last' });
  const ids = places.map(({ id }) => id);
  return { sessions: readSessions(reader, project, ids), nextCursor };
}

/** The sessions of the events after a position, and the start of the next page. */
function findSessions(
  reader: Reader,
  project: number,
  query: PageQuery,
  after: Position | null,
): { readonly ids: string[]; readonly next: Position | null } {
  const found = new Set<string>();
  let place = after;
  for (let read = 0; read < MAX_EVENTS; read += EVENTS) {
    const page = { projects: [project], after: place, limit: EVENTS + 1 };
    const hits = newestHits(reader, { ...query, inSession: true }, page);
    for (const hit of hits.slice(0, EVENTS)) {
      const id = textAt(hit.chunk, 'session_id', hit.place) ?? '';
      if (!found.has(id) && found.size === query.limit) return { ids: [...found], next: place };
      place = positionOf(hit);
      found.add(id);
    }
    if (hits.length <= EVENTS) return { ids: [...found], next: null };
  }
  return { ids: [...found], next: place };
}

/** Of some sessions, those with a matching event before a position in the list; an earlier page listed them. */
function seenAfter(
  reader: Reader,
  project: number,
  query: PageQuery,
  { ids, after }: { readonly ids: readonly string[]; readonly after: Position },
): Set<string> {
  const window = { from: Math.max(query.window.from, after.ts), to: query.window.to };
  const seen = new Set<string>();
  for (const ref of chunksOf(reader, project, window)) {
    const open = ids.filter((id) => !seen.has(id));
    if (open.length === 0) break;
    const chunk = ref.open();
    const found = sessionPlaces(chunk, open);
    const mask = found.size === 0 ? null : matchesOf(chunk, query, window);
    if (mask === null) continue;
    const ts = chunk.numbers('ts');
    const precedes = (place: number): boolean =>
      mask[place] === 1 && comparePosition({ chunk, place, ts: ts[place] as number }, after) >= 0;
    for (const [id, places] of found) if (places.some(precedes)) seen.add(id);
  }
  return seen;
}
