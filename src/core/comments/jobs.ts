import { DAY_MS } from '../../lib/time.ts';
import type { Job } from '../../module.ts';
import { deleteInSlices } from '../jobs/index.ts';
import { listRetainedProjects } from '../projects/index.ts';

/** A comment goes with the events it is about: they are deleted after the same days, on the same night. */
export const deleteExpiredComments: Job = {
  name: 'comments.delete_expired',
  summary: 'Delete comments and bookmarks of traces and sessions that retention has deleted',
  schedule: '20 3 * * *',
  run: async (ctx, signal) => {
    const deleted: Record<string, number> = {};
    for (const { scope, keptDays } of await listRetainedProjects(ctx))
      for (const table of ['comments', 'bookmarks']) {
        const slice = { table, key: ['id'], prefix: 'project_id = ?', where: 'ends_at < ?' };
        const values = { prefix: scope.projectId, where: ctx.now() - keptDays * DAY_MS };
        deleted[table] = (deleted[table] ?? 0) + (await deleteInSlices(slice, values, { ctx, signal }));
      }
    return { deleted };
  },
};
