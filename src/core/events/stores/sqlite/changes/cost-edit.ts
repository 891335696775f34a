import type { Reader } from '../../../../../db/reader.ts';
import { encodeCodes } from '../codecs/codes.ts';
import { encodeNumbers } from '../codecs/numbers.ts';
import { FLAG } from '../columns.ts';
import { hexAt } from '../packs/id-bytes.ts';
import type { Chunk } from '../scan/chunk.ts';
import type { ReadSegment } from '../seal/wire.ts';
import { replacePieces } from '../segments/encode-segment.ts';
import { gatheredAt } from '../segments/gather.ts';
import { segmentBlobs } from '../segments/segment-blobs.ts';
import type { StoredSegment } from '../segments/stored-segments.ts';
import { type SumDeltas, sumDeltasOf } from '../sums/sum-deltas.ts';
import { U } from '../users/user-page.ts';
import { type CostState, costAt, type PlaceCost, withCosts } from './cost-state.ts';

/** New costs of events of a segment, as a reader process returns them: blobs are base64. */
export type CostEdit = {
  readonly segment: ReadSegment;
  readonly small: string;
  readonly pieces: readonly (readonly [piece: number, data: string])[];
  /** Pieces that had a row of their own and are among the small ones now. */
  readonly removed: readonly number[];
  /** `[time, event id in hex, old cost, new cost]` of each event, the costs in three columns each. */
  readonly keys: readonly KeptCost[];
  readonly changed: number;
  /** Difference of the totals in nano-dollars. */
  readonly costNano: number;
  readonly sums: SumDeltas;
};

export type KeptCost = readonly (number | string | null)[];

/** Encodes new costs of a segment, and what they change in the sums. */
export function editCosts(
  reader: Reader,
  { stored, chunk }: { readonly stored: StoredSegment; readonly chunk: Chunk },
  costs: readonly PlaceCost[],
): CostEdit {
  const { no, version, flips } = stored;
  const after = withCosts(chunk, costs);
  const places = costs.map(({ place }) => place);
  const blobs = segmentBlobs((sql, key) => reader.rows(sql, [key])[0]?.[0] ?? null, no);
  const edited = replacePieces(blobs.small(), {
    cost_nano: encodeNumbers(after.numbers('cost_nano')),
    cost_status: encodeCodes(Uint32Array.from(after.bytes('cost_status'))),
    price: encodeNumbers(after.numbers('price')),
  });
  const flags = chunk.bytes('flags');
  const ts = chunk.numbers('ts');
  const ids = chunk.ids('event_id');
  const keys: KeptCost[] = [];
  let costNano = 0;
  for (const { place, next } of costs) {
    const old: CostState = costAt(chunk, place);
    keys.push([ts[place] as number, hexAt('event_id', ids, place), ...old, ...next]);
    if (((flags[place] as number) & FLAG.call) !== 0) costNano += (next[0] ?? 0) - (old[0] ?? 0);
  }
  return {
    segment: { no, version, flips },
    small: edited.small.toBase64(),
    pieces: edited.pieces.map(([piece, data]) => [piece, data.toBase64()]),
    removed: edited.removed,
    keys,
    changed: costs.length,
    costNano,
    sums: differenceOf(sumDeltasOf(gatheredAt(chunk, places), -1), sumDeltasOf(gatheredAt(after, places))),
  };
}

/** The sum of two contributions of the same events: their groups are the same, because a cost is no dimension. */
function differenceOf(minus: SumDeltas, plus: SumDeltas): SumDeltas {
  const added = <T extends { readonly sums: readonly number[] }>(
    some: readonly T[],
    others: readonly T[],
  ): T[] =>
    some.map((one, i) => ({ ...one, sums: one.sums.map((sum, at) => sum + (others[i]?.sums[at] ?? 0)) }));
  return {
    hours: added(minus.hours, plus.hours).map((hour) => ({ ...hour, bins: [] })),
    labels: added(minus.labels, plus.labels),
    links: added(minus.links, plus.links).map((link) => ({ ...link, bins: [] })),
    // The times of the users' events stay.
    users: plus.users.map((user, i) => ({
      ...user,
      sums: user.sums.map((sum, at) =>
        at === U.first || at === U.last ? sum : sum + (minus.users[i]?.sums[at] ?? 0),
      ),
    })),
  };
}
