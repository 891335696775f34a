import type { Reader } from '../../../../../db/reader.ts';
import type { EventPage, StoredEvent } from '../../../contract.ts';
import type { EventsPageQuery, NewestQuery, PageQuery } from '../../../read-queries.ts';
import type { Selection, Window } from '../../../selection.ts';
import { decodeCursor, encodeCursor, type Position } from '../../shared/order/cursor.ts';
import { UUID } from '../../shared/order/uuid.ts';
import { withLabels } from '../labels/label-filter.ts';
import { type SortedPage, sortedPage } from '../order/sort-events.ts';
import { findHits, type Hit, positionOf } from '../scan/find-hits.ts';
import { keyOfLabels } from '../scan/key-of-label.ts';
import { matchesOf } from '../scan/match.ts';
import { chunksOf } from '../scan/open-chunks.ts';
import { toEvent } from '../scan/to-event.ts';
import { busyDays } from './busy-days.ts';
import { countEvents } from './count-events.ts';

/**
 * Events, newest first, then by event id descending, so new events do not shift existing ones between pages; or in
 * another order (`sortedPage`). `total` counts all stored events that match. Throws 400 for an invalid cursor, and for
 * a count that would take too long (`countEvents`).
 */
export function listEvents(reader: Reader, given: EventsPageQuery): EventPage {
  const query = withLabels(reader, given);
  const total = countEvents(reader, query, query.window);
  return { ...pageOfEvents(reader, query), total };
}

/** Like `listEvents` but without the count, for reading page after page. */
export function pageOfEvents(reader: Reader, given: EventsPageQuery): Omit<EventPage, 'total'> {
  const query = withLabels(reader, given);
  const { hits, cursorOf } =
    given.order === undefined
      ? newestPage(reader, query)
      : sortedPage(reader, { ...query, order: given.order });
  const page = hits.slice(0, query.limit);
  const last = page.at(-1);
  const keyOf = keyOfLabels(reader);
  return {
    events: page.map(({ chunk, place }) => toEvent(chunk, place, keyOf)),
    nextCursor: hits.length > query.limit && last !== undefined ? cursorOf(last) : null,
  };
}

function newestPage(reader: Reader, query: PageQuery): SortedPage {
  const after = query.cursor === null ? null : decodeCursor(query.cursor, (id) => UUID.test(id));
  const hits = newestHits(reader, query, { projects: reader.projects, after, limit: query.limit + 1 });
  return { hits, cursorOf: (hit) => encodeCursor(positionOf(hit)) };
}

/** Some fields of the newest or oldest events that match, without a count: at most `limit`. */
export function newestEvents<F extends keyof StoredEvent>(
  reader: Reader,
  { fields, order = 'newest', ...given }: NewestQuery<F>,
): Pick<StoredEvent, F>[] {
  const query = withLabels(reader, given);
  const keyOf = keyOfLabels(reader);
  const pick = (event: StoredEvent): Pick<StoredEvent, F> =>
    Object.fromEntries(fields.map((name) => [name, event[name]])) as Pick<StoredEvent, F>;
  const first = { projects: reader.projects, after: null, limit: query.limit, order };
  return newestHits(reader, query, first).map(({ chunk, place }) => pick(toEvent(chunk, place, keyOf)));
}

/** The newest events of projects that match and follow a position, or the oldest of a window. */
export function newestHits(
  reader: Reader,
  query: Selection & { readonly window: Window },
  {
    projects,
    after,
    limit,
    order = 'newest',
  }: {
    readonly projects: readonly number[];
    readonly after: Position | null;
    readonly limit: number;
    readonly order?: 'newest' | 'oldest' | undefined;
  },
): Hit[] {
  const { from, to } = query.window;
  const window = { from, to: after === null ? to : Math.min(to, after.ts + 1) };
  const chunks = projects.flatMap((project) => chunksOf(reader, project, window));
  const mayMatch = busyDays(reader, query, window);
  return findHits(chunks, (chunk) => matchesOf(chunk, query, window), {
    order,
    after,
    limit,
    mayMatch,
  });
}
