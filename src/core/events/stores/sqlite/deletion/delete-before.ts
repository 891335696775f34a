import type { ReadOp } from '../../../../../db/reader.ts';
import type { Slice } from '../../../../../db/slice.ts';
import { DAY_MS } from '../../../../../lib/time.ts';
import { deleteInSlices, paced, type SliceTask } from '../../../../jobs/index.ts';
import type { DeletedRows } from '../../../deletion.ts';
import { readEvents } from '../damage/read-events.ts';
import { readOp } from '../read-op.ts';
import { openStoredSegment } from '../scan/open-chunks.ts';
import type { Sealer } from '../seal/sealer.ts';
import { storeSegments } from '../seal/store-segments.ts';
import { encodeForWire, type SealWork } from '../seal/wire.ts';
import { gather } from '../segments/gather.ts';
import { segmentsFrom } from '../segments/stored-segments.ts';
import { dropSegmentOp, noteDropOp } from './drop-ops.ts';

/** How long an event without a timestamp is deduplicated by its id. A later repetition is stored as a new event. */
const UNDATED_DAYS = 30;

/** Times of first receipt. They are not ordered by time, so all of a project's are scanned. */
const oldUndated: Slice = {
  table: 'undated_events',
  key: ['event_id'],
  prefix: 'project = ?',
  where: 'ts < ?',
};

const damagedBatches: Slice = {
  table: 'event_log_damaged',
  key: ['seq'],
  prefix: 'project = ?',
  where: 'last_ts < ?',
};

type Cut = { readonly project: number; readonly time: number };

/** A segment with old events. `isWhole`: it has no others. */
type OldSegment = { readonly no: number; readonly isWhole: boolean };

/** The segment of a project with the oldest events before an instant, by its last event; null if there is none. */
const oldSegmentRead = readOp('old-segment', (reader, { project, time }: Cut): OldSegment | null => {
  // Damaged ones can't be cut off, so they stay until their last event is old.
  const [row] = reader.rows(
    `SELECT no, last_ts FROM event_segments WHERE ready > 1 AND project = ?1 AND last_ts < ?3
     UNION ALL
     SELECT no, last_ts FROM event_segments
     WHERE ready = 1 AND project = ?1 AND last_ts < ?2 AND first_ts < ?3 ORDER BY last_ts LIMIT 1`,
    // A segment has events of one day.
    [project, time + DAY_MS, time],
  );
  return row === undefined ? null : { no: Number(row[0]), isWhole: Number(row[1]) < time };
});

type CutSegment = { readonly work: SealWork; readonly removed: number };

/** Encodes a segment without its events before an instant; null if it is gone. */
const cutSegmentRead = readOp(
  'cut-segment',
  (reader, { project, time, no }: Cut & { readonly no: number }): CutSegment | null => {
    const [stored] = segmentsFrom(reader, project, no);
    if (stored?.no !== no) return null;
    const chunk = openStoredSegment(reader, stored);
    const ts = chunk.numbers('ts');
    const mask = Uint8Array.from(ts, (one) => Number(one >= time));
    const { version, flips } = stored;
    const segment = encodeForWire(gather([chunk], [mask]));
    const merged = [{ no, version, flips }];
    return {
      work: { segments: [segment], batches: [], merged, sums: null },
      removed: chunk.events - segment.events,
    };
  },
);

/** The reads of `deleteBefore`, for the manifest. */
export const retentionReads: readonly ReadOp[] = [oldSegmentRead, cutSegmentRead];

/** See `EventDeletion`. Seals old events first, so that their sums outlive them. */
export async function deleteBefore(
  cut: Cut,
  task: SliceTask & { readonly sealer: Sealer },
): Promise<DeletedRows> {
  const { ctx, sealer, signal, onProgress } = task;
  const { project, time } = cut;
  signal.throwIfAborted();
  await sealer.sealAll(project, time);
  await ctx.db.writer.write(noteDropOp, { project, before: time });

  /** Replaces a segment; if it is another one by now, the next slice finds that. */
  const cutOff = async (no: number): Promise<number> => {
    const found = (await readEvents(ctx, cutSegmentRead, [project], { ...cut, no })).parse();
    if (found === null) return 0;
    const { outcome } = await storeSegments(ctx.db.writer, project, found.work);
    return outcome === 'sealed' ? found.removed : 0;
  };
  const events = await paced<typeof cut>({
    from: cut,
    signal,
    ...(onProgress === undefined ? {} : { onProgress }),
    slice: async () => {
      const old = (await readEvents(ctx, oldSegmentRead, [project], cut)).parse();
      if (old === null) return { next: null, done: 0 };
      const { no, isWhole } = old;
      if (!isWhole) return { next: cut, done: await sealer.inTurn(() => cutOff(no)) };
      const { events: done, ms } = await ctx.db.writer.write(dropSegmentOp, { project, no });
      return { next: cut, done, ms };
    },
  });
  await deleteInSlices(damagedBatches, { prefix: project, where: time }, task);
  const forgotten = ctx.now() - UNDATED_DAYS * DAY_MS;
  const undated = await deleteInSlices(oldUndated, { prefix: project, where: forgotten }, task);
  return { events, undated_events: undated };
}
