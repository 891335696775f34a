import type { Connection } from '../../../../db/connection.ts';
import { DAY_MS } from '../../../../lib/time.ts';
import type { NumberColumn } from '../sqlite/columns.ts';
import { decodePack } from '../sqlite/packs/decode-pack.ts';
import { encodePack } from '../sqlite/packs/encode-pack.ts';
import type { Chunk } from '../sqlite/scan/chunk.ts';
import { encodeSegment } from '../sqlite/segments/encode-segment.ts';
import { gather } from '../sqlite/segments/gather.ts';
import { SEGMENT_EVENTS } from '../sqlite/segments/pieces.ts';
import { sumDeltasOf } from '../sqlite/sums/sum-deltas.ts';
import { openStoredSums } from '../sqlite/sums/sums-part.ts';
import { toPacked } from './first-event.ts';
import { F, type FirstPosition, type FirstRow, openFirstRows, positionOf } from './first-rows.ts';
import { createInsertSegment } from './insert-segment.ts';

/** Rows per pack: few enough that their distinct texts fit its table. */
const PACK_ROWS = 2_000;

/** One segment's worth of a project's events. */
export type EventSlice = {
  /** Events of one UTC day, in order of time and id. */
  readonly rows: readonly FirstRow[];
  readonly chunks: readonly Chunk[];
  /** The position of the last one; the next slice starts behind it. */
  readonly end: FirstPosition;
};

/** Reads a project's events from a position on, a slice at a time. */
export function* eventSlices(
  from: Connection,
  project: number,
  position: FirstPosition | null,
): Generator<EventSlice> {
  const reader = openFirstRows(from);
  const shapes = reader.shapes(project);
  for (let after = position; ; ) {
    const found = reader.after(project, after, SEGMENT_EVENTS);
    const rows = ofOneDay(found);
    const last = rows.at(-1);
    if (last === undefined) return;
    after = positionOf(last);
    yield { rows, chunks: chunksOf(project, rows, shapes), end: after };
  }
}

const dayOf = (row: FirstRow | undefined): number => Math.floor(Number(row?.[F.ts]) / DAY_MS);

function ofOneDay(rows: readonly FirstRow[]): readonly FirstRow[] {
  const day = dayOf(rows[0]);
  const end = rows.findIndex((row) => dayOf(row) !== day);
  return end === -1 ? rows : rows.slice(0, end);
}

function chunksOf(project: number, rows: readonly FirstRow[], shapes: ReadonlyMap<number, string>): Chunk[] {
  return Array.from({ length: Math.ceil(rows.length / PACK_ROWS) }, (_, i) => {
    const own = rows.slice(i * PACK_ROWS, (i + 1) * PACK_ROWS);
    const pack = encodePack(own.map((row) => toPacked(row, shapes)));
    const chunk = decodePack({ ...pack, project, dropped: null, labels: [], flips: [] });
    return withLabels(
      chunk,
      Float64Array.from(own, (row) => Number(row[F.label])),
    );
  });
}

/** In the first store, each row has its label. */
const withLabels = (chunk: Chunk, labels: Float64Array): Chunk => ({
  ...chunk,
  numbers: (column: NumberColumn) => (column === 'label' ? labels : chunk.numbers(column)),
});

/**
 * Writes slices as segments. Call it in the transaction that notes how far the work is. The first store's sums are
 * copied as they are; those of users lack the events of its newest chunks, which are added here.
 */
export function createSegmentWriter(
  from: Connection,
  to: Connection,
): (project: number, slice: EventSlice) => void {
  const insert = createInsertSegment(to);
  const sums = openStoredSums(to);
  const readSealed = from.prepare('SELECT chunk FROM chunk_seals WHERE project = ?').raw(true);
  return (project, { rows, chunks }) => {
    const masks = chunks.map((chunk) => chunk.present());
    insert(project, encodeSegment(gather(chunks, masks)));
    const [[sealed = -1] = []] = readSealed.all([project]) as number[][];
    const fresh = masks.map((mask, pack) =>
      mask.map((_, place) => Number(Number(rows[pack * PACK_ROWS + place]?.[F.chunk]) > sealed)),
    );
    if (!fresh.some((mask) => mask.includes(1))) return;
    const { users } = sumDeltasOf(gather(chunks, fresh));
    sums.add(project, { hours: [], labels: [], users, links: [] });
  };
}
