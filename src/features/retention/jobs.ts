import { eventsOf } from '../../core/events/index.ts';
import { listRetainedProjects } from '../../core/projects/index.ts';
import { DAY_MS } from '../../lib/time.ts';
import type { Job } from '../../module.ts';

/**
 * An event expires when it is older than the plan's or the project's retention in days of 24 hours. An event of
 * exactly that age is kept.
 */
export const deleteExpired: Job = {
  name: 'retention.delete_expired',
  summary: 'Delete raw events that exceed their retention; roll-ups stay',
  schedule: '10 3 * * *',
  run: async (ctx, signal) => {
    const now = ctx.now();
    const projects = await listRetainedProjects(ctx);
    const deleted: Record<string, number> = { events: 0 };
    for (const { scope, keptDays } of projects) {
      const rows = await eventsOf(ctx).deleteBefore(scope, now - keptDays * DAY_MS, { signal });
      for (const [table, count] of Object.entries(rows)) deleted[table] = (deleted[table] ?? 0) + count;
    }
    return { projects: projects.length, deleted };
  },
};
