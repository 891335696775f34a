import { DAY_MS } from '../../lib/time.ts';
import type { Job } from '../../module.ts';
import { deleteInSlices } from '../jobs/index.ts';
import { listRetainedProjects } from '../projects/index.ts';

/** An item goes with its trace: both are deleted after the same days, on the same night. */
export const deleteExpiredItems: Job = {
  name: 'annotation_queues.delete_expired',
  summary: 'Delete items of annotation queues whose traces retention has deleted',
  schedule: '30 3 * * *',
  run: async (ctx, signal) => {
    const deleted: Record<string, number> = {};
    for (const { scope, keptDays } of await listRetainedProjects(ctx))
      for (const [table, key] of [
        ['annotation_items', ['queue_id', 'no']],
        ['annotation_marks', ['queue_id', 'no', 'user_id']],
      ] as const) {
        const slice = { table, key: [...key], prefix: 'project = ?', where: 'ends_at < ?' };
        const values = { prefix: scope.no, where: ctx.now() - keptDays * DAY_MS };
        deleted[table] = (deleted[table] ?? 0) + (await deleteInSlices(slice, values, { ctx, signal }));
      }
    return { deleted };
  },
};
