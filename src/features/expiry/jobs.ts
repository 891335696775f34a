import { deleteInSlices } from '../../core/jobs/index.ts';
import { DAY_MS } from '../../lib/time.ts';
import type { Job } from '../../module.ts';

/**
 * Deletes expired rows of every table whose manifest declares a retention. It scans whole tables, because they have
 * no index on the expiry time. Safe to kill and to rerun.
 */
export const deleteExpiredRows: Job = {
  name: 'expiry.delete_expired',
  summary:
    'Delete expired rows of every table with a retention: login sessions, links, refused lines and more',
  schedule: '30 3 * * *',
  run: async (ctx, signal) => {
    const deleted: Record<string, number> = {};
    for (const { name, retention } of ctx.tables) {
      if (retention === undefined) continue;
      const slice = { table: name, key: ['rowid'], where: `${retention.ends} <= ?` };
      const where = ctx.now() - retention.keptDays * DAY_MS;
      deleted[name] = await deleteInSlices(slice, { where }, { ctx, signal });
    }
    return { deleted };
  },
};
