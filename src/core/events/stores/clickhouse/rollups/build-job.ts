import type { Ctx } from '../../../../../context.ts';
import type { Job } from '../../../../../module.ts';
import { projects } from '../../../../projects/table.ts';

/** Sums up the days of a project that are over; returns their number. */
export type BuildDays = (project: number, signal: AbortSignal) => Promise<number>;

/** @param builderOf what sums up days; null with events in the database file */
export const buildRollupsJob = (builderOf: (ctx: Ctx) => BuildDays | null): Job => ({
  name: 'events.build_rollups',
  summary: 'Sum up days that are over or were changed, for events on ClickHouse',
  schedule: '*/10 * * * *',
  run: async (ctx, signal) => {
    const build = builderOf(ctx);
    if (build === null) return {};
    let days = 0;
    for (const { no } of await ctx.db.sql.select({ no: projects.no }).from(projects))
      days += await build(no, signal);
    return days === 0 ? {} : { days };
  },
});
