import type { Position } from '../../shared/order/cursor.ts';
import { ID_WORDS } from '../columns.ts';
import { idWords } from '../packs/id-bytes.ts';
import { compareIds } from '../segments/gather.ts';
import type { Chunk, ChunkRef } from './chunk.ts';
import { eventIdAt } from './to-event.ts';

/** An event of an open chunk. `ts` in epoch milliseconds. */
export type Hit = { readonly chunk: Chunk; readonly place: number; readonly ts: number };

/** The wanted events of a chunk: 1 or 0 per place; null if there is none. */
export type Matcher = (chunk: Chunk) => Uint8Array | null;

/** `after`: the position that precedes the first hit; null for none. */
export type HitsQuery = {
  readonly order: 'newest' | 'oldest';
  readonly after: Position | null;
  readonly limit: number;
  /** Whether a chunk can have wanted events; asked before it is opened, in the order of reading. */
  readonly mayMatch?: (chunk: ChunkRef) => boolean;
};

/** An event's place in the order of time, then of id. */
type Key = { readonly ts: number; readonly ids: Int32Array; readonly at: number };

const keyOf = ({ chunk, place, ts }: Hit): Key => ({
  ts,
  ids: chunk.ids('event_id'),
  at: place * ID_WORDS.event_id,
});

/** Negative if the first is earlier, or as early and its id smaller. */
export const compareHits = (a: Hit, b: Hit): number => a.ts - b.ts || compareIds(keyOf(a), keyOf(b));

/** The position of a hit in a list. */
export const positionOf = (hit: Hit): Position => ({ ts: hit.ts, id: eventIdAt(hit.chunk, hit.place) });

/**
 * The first wanted events in the order of time, then of id. Chunks are opened in that order until none that is left
 * can contain an event that precedes the last hit.
 */
export function findHits(chunks: readonly ChunkRef[], matches: Matcher, query: HitsQuery): Hit[] {
  const { limit, mayMatch = () => true } = query;
  const isNewest = query.order === 'newest';
  const sign = isNewest ? -1 : 1;
  const nearest = ({ first, last }: ChunkRef): number => (isNewest ? last : first);
  const after: Key | null =
    query.after === null ? null : { ts: query.after.ts, ids: idWords('event_id', query.after.id), at: 0 };
  let hits: Hit[] = [];
  for (const ref of chunks.toSorted((a, b) => sign * (nearest(a) - nearest(b)))) {
    const end = hits.length < limit ? undefined : hits.at(-1)?.ts;
    if (end !== undefined && sign * (nearest(ref) - end) > 0) break;
    if (!mayMatch(ref)) continue;
    const chunk = ref.open();
    const mask = matches(chunk);
    if (mask === null) continue;
    const isWanted = (hit: Hit): boolean =>
      (end === undefined || sign * (hit.ts - end) <= 0) && (after === null || isPast(hit, after, sign));
    const own = hitsIn(chunk, mask, isWanted, { isNewest, isOrdered: ref.segment !== null, limit });
    if (own.length === 0) continue;
    hits = [...hits, ...own].sort((a, b) => sign * compareHits(a, b)).slice(0, limit);
  }
  return hits;
}

/** Positive if a hit is later than a position, or as late and its id greater; 0 at the position. */
export const comparePosition = (hit: Hit, { ts, id }: Position): number =>
  hit.ts - ts || compareIds(keyOf(hit), { ids: idWords('event_id', id), at: 0 });

/** Whether a hit follows a position. */
function isPast(hit: Hit, after: Key, sign: 1 | -1): boolean {
  if (hit.ts !== after.ts) return sign * (hit.ts - after.ts) > 0;
  return sign * compareIds(keyOf(hit), after) > 0;
}

/** `isOrdered`: its events are in the order of time, as those of a segment. */
type HitsIn = { readonly isNewest: boolean; readonly isOrdered: boolean; readonly limit: number };

/** The first `limit` hits of a chunk from its newest or oldest end; of an unordered one, also others at the last time. */
function hitsIn(
  chunk: Chunk,
  mask: Uint8Array,
  isWanted: (hit: Hit) => boolean,
  { isNewest, isOrdered, limit }: HitsIn,
): Hit[] {
  const ts = chunk.numbers('ts');
  const hits: Hit[] = [];
  for (let i = 0; i < mask.length && !(isOrdered && hits.length === limit); i++) {
    const place = isNewest ? mask.length - 1 - i : i;
    if (mask[place] === 0) continue;
    const hit = { chunk, place, ts: ts[place] as number };
    if (isWanted(hit)) hits.push(hit);
  }
  if (hits.length <= limit) return hits;
  // Sorting numbers is many times faster than sorting by a function; hits of the same time stay.
  const times = Float64Array.from(hits, (hit) => hit.ts).sort();
  const bound = times.at(isNewest ? -limit : limit - 1) as number;
  return hits.filter((hit) => (isNewest ? hit.ts >= bound : hit.ts <= bound));
}
