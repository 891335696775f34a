import { eq, sql } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { projects } from '../../core/projects/table.ts';

/** Epoch milliseconds of the newest event of a project, null where it has none. */
export async function findNewestEvent(ctx: Ctx, no: number): Promise<number | null> {
  const newest = sql<number | null>`(SELECT max(ts) FROM events WHERE project = ${no})`;
  const [row] = await ctx.db.sql.select({ newest }).from(projects).where(eq(projects.no, no));
  return row?.newest ?? null;
}
