import type { WriteOp } from '../../../../../db/group-commit.ts';
import type { Slice } from '../../../../../db/slice.ts';
import { DAY_MS, SLOT_MS } from '../../../../../lib/time.ts';
import { deleteInSlices, type SliceTask } from '../../../../jobs/index.ts';
import type { DeletedRows } from '../../../deletion.ts';
import { ROLLUP_DIMENSIONS } from '../rollups/rollup.ts';
import { sealChunks } from '../sealing/seal-op.ts';

/** How long an event without a timestamp is deduplicated by its id. A later repetition is stored as a new event. */
const UNDATED_DAYS = 30;

/**
 * Records, before rows older than an instant (epoch milliseconds) are deleted, that the remaining rows and late
 * arrivals of that time are incomplete, so that no reader relies on them.
 */
export const noteDeletionOp: WriteOp<{ readonly project: number; readonly before: number }, void> = {
  name: 'events.note_deletion',
  open(connection) {
    const note = connection.prepare(
      `INSERT INTO rows_from (project, ts)
       SELECT ?1, ?2 WHERE EXISTS (SELECT 1 FROM events WHERE project = ?1 AND ts < ?2)
       ON CONFLICT DO UPDATE SET ts = max(ts, excluded.ts)`,
    );
    return {
      apply: ({ project, before }) => {
        note.run([project, before]);
      },
    };
  },
};

const ofProject = 'project = ?';
const oldEvents: Slice = { table: 'events', key: ['ts', 'event_id'], prefix: ofProject, until: 'ts < ?' };

/** Five-minute sums: without the rows at its edges a slot is useless. `until` is a slot number. */
const oldSlots: Slice = {
  table: 'rollup_slots',
  key: ['slot', ...ROLLUP_DIMENSIONS],
  prefix: ofProject,
  until: 'slot < ?',
};

/** Chunks whose events were all before an instant. */
const oldChunks: Slice = { table: 'event_chunks', key: ['chunk'], prefix: ofProject, where: 'last_ts < ?' };

/** Data per chunk, deleted with the chunk. `where` takes the project again. */
const ofChunks: readonly Slice[] = ['trace_filters', 'session_chunks', 'event_filters'].map((table) => ({
  table,
  key: ['chunk'],
  prefix: ofProject,
  where: 'chunk NOT IN (SELECT chunk FROM event_chunks WHERE project = ?)',
}));

/** Times of first receipt. They are not ordered by time, so all of a project's are scanned. */
const oldUndated: Slice = {
  table: 'undated_events',
  key: ['event_id'],
  prefix: ofProject,
  where: 'ts < ?',
};

/** See `EventDeletion`. Seals chunks first, so that their sums outlive their rows. */
export async function deleteBefore(project: number, time: number, task: SliceTask): Promise<DeletedRows> {
  const { ctx, signal } = task;
  await sealChunks(ctx, project, { before: time, signal });
  await ctx.db.writer.write(noteDeletionOp, { project, before: time });
  const events = await deleteInSlices(oldEvents, { prefix: project, until: time }, task);
  await deleteInSlices(oldSlots, { prefix: project, until: Math.floor(time / SLOT_MS) }, task);
  await deleteInSlices(oldChunks, { prefix: project, where: time }, task);
  for (const slice of ofChunks) await deleteInSlices(slice, { prefix: project, where: project }, task);
  const forgotten = ctx.now() - UNDATED_DAYS * DAY_MS;
  const undated = await deleteInSlices(oldUndated, { prefix: project, where: forgotten }, task);
  return { events, undated_events: undated };
}
