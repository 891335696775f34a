import type { Reader } from '../../../../../db/reader.ts';
import { type EventSort, MAX_SORTED_EVENTS, type Order } from '../../../order/contract.ts';
import type { Window } from '../../../selection.ts';
import { decodeCursor, encodeCursor } from '../../shared/order/cursor.ts';
import {
  compareKeys,
  createTop,
  decodePlace,
  encodePlace,
  orderName,
  type Place,
} from '../../shared/order/rank.ts';
import { UUID } from '../../shared/order/uuid.ts';
import { busyDays } from '../queries/busy-days.ts';
import { refuseLongScan } from '../queries/count-events.ts';
import { compareHits, comparePosition, findHits, type Hit, positionOf } from '../scan/find-hits.ts';
import { matchesOf } from '../scan/match.ts';
import { NUMBER_FIELDS } from '../scan/number-fields.ts';
import { chunksOf } from '../scan/open-chunks.ts';
import type { RowSelection } from '../scan/row-selection.ts';

type Query = RowSelection & {
  readonly window: Window;
  readonly order: Order<EventSort>;
  readonly cursor: string | null;
  readonly limit: number;
};

/** Matching events of a page in an order, one more than the page has if there is one, and how their place is written. */
export type SortedPage = { readonly hits: readonly Hit[]; cursorOf(hit: Hit): string };

/**
 * A page of events in an order. Values of stored events do not change but by re-pricing, so pages skip and repeat
 * nothing while events arrive. @throws AppError 400 for an invalid cursor and for a range with too many events
 */
export const sortedPage = (reader: Reader, query: Query): SortedPage =>
  query.order.by === 'time' ? byTime(reader, query) : byNumber(reader, query, query.order.by);

function byTime(reader: Reader, query: Query): SortedPage {
  const after = query.cursor === null ? null : decodeCursor(query.cursor, (id) => UUID.test(id));
  const window = { from: Math.max(query.window.from, after?.ts ?? query.window.from), to: query.window.to };
  const chunks = reader.projects.flatMap((project) => chunksOf(reader, project, window));
  const mayMatch = busyDays(reader, query, window);
  const hits = findHits(chunks, (chunk) => matchesOf(chunk, query, window), {
    order: 'oldest',
    after,
    limit: query.limit + 1,
    mayMatch,
  });
  return { hits, cursorOf: (hit) => encodeCursor(positionOf(hit)) };
}

type RankedHit = Hit & { readonly key: number };

function byNumber(reader: Reader, query: Query, by: Exclude<EventSort, 'time'>): SortedPage {
  const { order, window, cursor, limit } = query;
  const name = orderName(order);
  const after = cursor === null ? null : decodePlace(name, cursor, (id) => UUID.test(id));
  refuseLongScan(reader, query, window, { most: MAX_SORTED_EVENTS, what: `with sort=${by} events are read` });
  const compare = (a: RankedHit, b: RankedHit): number => compareKeys(a, b, order.desc) || compareHits(b, a);
  const top = createTop<RankedHit>(limit + 1, order.desc, compare);
  const mayMatch = busyDays(reader, query, window);
  for (const ref of reader.projects.flatMap((project) => chunksOf(reader, project, window))) {
    if (!mayMatch(ref)) continue;
    const chunk = ref.open();
    const mask = matchesOf(chunk, query, window);
    if (mask === null) continue;
    const keyAt = NUMBER_FIELDS[by](chunk);
    const ts = chunk.numbers('ts');
    for (let place = mask.indexOf(1); place !== -1; place = mask.indexOf(1, place + 1)) {
      const rank = { key: keyAt(place), ts: ts[place] as number };
      if (!top.admits(rank)) continue;
      const hit = { chunk, place, ...rank };
      if (after === null || isPast(hit, after, order.desc)) top.add(hit);
    }
  }
  const cursorOf = (hit: Hit): string => {
    const { ts, id } = positionOf(hit);
    return encodePlace(name, { key: NUMBER_FIELDS[by](hit.chunk)(hit.place), ts, id });
  };
  return { hits: top.rows(), cursorOf };
}

/** Whether a hit comes after a place. */
const isPast = (hit: RankedHit, after: Place, desc: boolean): boolean =>
  (compareKeys(hit, after, desc) || -comparePosition(hit, after)) > 0;
