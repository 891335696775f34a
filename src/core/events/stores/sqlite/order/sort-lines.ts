import type { Reader } from '../../../../../db/reader.ts';
import { DAY_MS } from '../../../../../lib/time.ts';
import { type LineSort, MAX_SORTED_LINE_EVENTS, type Order } from '../../../order/contract.ts';
import type { Window } from '../../../selection.ts';
import {
  compareKeys,
  createTop,
  decodePlace,
  encodePlace,
  orderName,
  type Place,
} from '../../shared/order/rank.ts';
import { refuseLongScan } from '../queries/count-events.ts';
import { matchesOf } from '../scan/match.ts';
import { chunksOf } from '../scan/open-chunks.ts';
import type { RowSelection } from '../scan/row-selection.ts';
import type { Groups } from './groups.ts';
import { createLineKeys } from './line-keys.ts';

/** Time before and after the window whose events take part in the order. */
const MARGIN = DAY_MS;

type Query = RowSelection & {
  readonly window: Window;
  readonly order: Order<LineSort>;
  readonly cursor: string | null;
  readonly limit: number;
};

/** `ts`: the first or the last matching event of a group. */
type Kind = { readonly groups: () => Groups; readonly ts: 'first' | 'last' };

/** Where the rows of a page are. */
type SortedIds = {
  readonly places: readonly (Place & { readonly project: number })[];
  readonly nextCursor: string | null;
};

/**
 * The traces or sessions of a page in an order. One that receives events while pages are read may move.
 * @throws AppError 400 for an invalid cursor and for a range with too many events
 */
export function sortedIds(reader: Reader, query: Query, kind: Kind): SortedIds {
  const { order, cursor, limit, window } = query;
  const name = orderName(order);
  const after = cursor === null ? null : decodePlace(name, cursor, (id) => id !== '');
  const what = `with sort=${order.by} events are read`;
  refuseLongScan(reader, { filters: {}, calls: false }, window, { most: MAX_SORTED_LINE_EVENTS, what });
  const compare = (a: Place, b: Place): number =>
    compareKeys(a, b, order.desc) || (a.id === b.id ? 0 : a.id < b.id ? 1 : -1);
  const found = reader.projects
    .flatMap((project) => {
      const top = createTop<Place>(limit + 1, order.desc, compare);
      const ranked = rankGroups(reader, project, query, kind);
      for (let group = 0; group < ranked.groups.size; group++) {
        const rank = { key: ranked.keyOf(group), ts: ranked.times[group] as number };
        if (!top.admits(rank) || (after !== null && compareKeys(rank, after, order.desc) < 0)) continue;
        const place = { ...rank, id: ranked.groups.idOf(group) };
        if (after === null || compare(place, after) > 0) top.add(place);
      }
      return top.rows().map((place) => ({ ...place, project }));
    })
    .sort(compare);
  const places = found.slice(0, limit);
  const last = places.at(-1);
  return {
    places,
    nextCursor: found.length > limit && last !== undefined ? encodePlace(name, last) : null,
  };
}

/** The groups with a matching event, their values, and the time of their first or last matching event. */
function rankGroups(
  reader: Reader,
  project: number,
  query: Query,
  kind: Kind,
): { readonly groups: Groups; readonly times: readonly number[]; keyOf(group: number): number } {
  const groups = kind.groups();
  const times: number[] = [];
  const isFirst = kind.ts === 'first';
  for (const ref of chunksOf(reader, project, query.window)) {
    const chunk = ref.open();
    const mask = matchesOf(chunk, query, query.window);
    if (mask === null) continue;
    const groupOf = groups.of(chunk, true);
    const ts = chunk.numbers('ts');
    for (let place = mask.indexOf(1); place !== -1; place = mask.indexOf(1, place + 1)) {
      const group = groupOf(place);
      if (group === -1) continue;
      const [known, time] = [times[group], ts[place] as number];
      if (known === undefined || (isFirst ? time < known : time > known)) times[group] = time;
    }
  }
  const { by } = query.order;
  if (by === 'time') return { groups, times, keyOf: (group) => times[group] as number };
  const keys = createLineKeys(by, groups.size);
  const window = { from: query.window.from - MARGIN, to: query.window.to + MARGIN };
  for (const ref of groups.size === 0 ? [] : chunksOf(reader, project, window)) {
    const chunk = ref.open();
    const groupOf = groups.of(chunk, false);
    const present = chunk.present();
    const add = keys.open(chunk);
    for (let place = present.indexOf(1); place !== -1; place = present.indexOf(1, place + 1)) {
      const group = groupOf(place);
      if (group !== -1) add(place, group);
    }
  }
  return { groups, times, keyOf: keys.keyOf };
}
