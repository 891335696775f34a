import { eventsOf } from '../../core/events/index.ts';
import { listRetainedProjects } from '../../core/projects/index.ts';
import { DAY_MS } from '../../lib/time.ts';
import type { Job } from '../../module.ts';

/**
 * An event expires when it is older than the days of the plan or the project, each of 24 hours; one that is
 * exactly as old stays.
 */
export const deleteExpired: Job = {
  name: 'retention.delete_expired',
  summary: 'Delete raw events older than the plan keeps them; their sums stay',
  schedule: '10 3 * * *',
  run: async (ctx, signal) => {
    const now = ctx.now();
    const projects = await listRetainedProjects(ctx);
    const deleted: Record<string, number> = { events: 0 };
    for (const { no, keptDays } of projects) {
      const rows = await eventsOf(ctx).deleteBefore(no, now - keptDays * DAY_MS, { signal });
      for (const [table, count] of Object.entries(rows)) deleted[table] = (deleted[table] ?? 0) + count;
    }
    return { projects: projects.length, deleted };
  },
};
