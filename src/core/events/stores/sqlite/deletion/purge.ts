import { deleteInSlices, paced, type SliceTask } from '../../../../jobs/index.ts';
import type { DeletedRows } from '../../../deletion.ts';
import { readEvents } from '../damage/read-events.ts';
import { readOp } from '../read-op.ts';
import type { Sealer } from '../seal/sealer.ts';
import { eventTables } from '../tables.ts';
import { dropBatchesOp, dropSegmentOp } from './drop-ops.ts';

/** One segment of a project, visible or not; null if it has none. */
export const anySegmentRead = readOp('any-segment', (reader, project: number): number | null => {
  const [row] = reader.rows('SELECT no FROM event_segments WHERE project = ? LIMIT 1', [project]);
  return row === undefined ? null : Number(row[0]);
});

/** See `EventDeletion`. The log goes first, so that nothing of it is sealed meanwhile. */
export async function purge(
  project: number,
  { sealer, ...task }: SliceTask & { readonly sealer: Sealer },
): Promise<DeletedRows> {
  const { ctx, signal, onProgress = () => {} } = task;
  const deleted: Record<string, number> = {};
  const batches = await paced<number>({
    from: project,
    signal,
    onProgress,
    slice: async (_, most) => {
      const { batches: done, unsealed, ms } = await ctx.db.writer.write(dropBatchesOp, { project, most });
      sealer.stored(project, unsealed);
      return { next: done < most ? null : project, done, ms };
    },
  });
  // What was being sealed when its batches were deleted is given up by now.
  await sealer.inTurn(() => Promise.resolve());
  const segments = await paced<number>({
    from: project,
    signal,
    onProgress,
    slice: async () => {
      const no = (await readEvents(ctx, anySegmentRead, [project], project)).parse();
      if (no === null) return { next: null, done: 0 };
      const { ms } = await ctx.db.writer.write(dropSegmentOp, { project, no });
      return { next: project, done: 1, ms };
    },
  });
  for (const { name, key } of eventTables)
    deleted[name] = await deleteInSlices(
      { table: name, key, prefix: 'project = ?' },
      { prefix: project },
      task,
    );
  return {
    ...deleted,
    event_log: batches + (deleted.event_log ?? 0),
    event_segments: segments + (deleted.event_segments ?? 0),
  };
}
