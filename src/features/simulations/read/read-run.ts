import { eq } from 'drizzle-orm';
import type { Ctx } from '../../../context.ts';
import { findProject } from '../../../core/projects/index.ts';
import { ofProjects, type ProjectScope } from '../../../core/tenancy/index.ts';
import { findRun, findRunRow, findSuite } from '../queries.ts';
import type { SimulationRunDetail } from '../runs/contract.ts';
import { simulationRuns } from '../table.ts';
import { readFigures } from './figures.ts';

/** Keeps the figures of a run for lists. */
export async function summarize(ctx: Ctx, id: string): Promise<void> {
  const [row] = await ctx.db.sql.select().from(simulationRuns).where(eq(simulationRuns.id, id));
  if (row === undefined) return;
  const { no } = await findProject(ctx, row.projectId);
  const { metrics } = (await ctx.db.read(readFigures, [no], { id, baselineId: null })).parse();
  await ctx.db.sql.update(simulationRuns).set({ summary: metrics }).where(eq(simulationRuns.id, id));
}

/** A run with its figures beside those of the last run before it. Throws AppError 404. */
export async function readRun(ctx: Ctx, scope: ProjectScope, id: string): Promise<SimulationRunDetail> {
  const { projectId } = scope;
  const run = await findRun(ctx, projectId, id);
  const { row } = await findSuite(ctx, projectId, { id: run.simulationId });
  const before = await findBaseline(ctx, projectId, run.baselineId);
  const wanted = { id, baselineId: before?.id ?? null };
  const { compared, ...figures } = (await ctx.db.read(readFigures, ofProjects([scope]), wanted)).parse();
  return {
    ...run,
    ...figures,
    simulationName: row.name,
    comparison: before === null ? null : { ...before, metrics: [...compared] },
  };
}

/** Null without one, or if it was deleted since. */
async function findBaseline(
  ctx: Ctx,
  projectId: string,
  id: string | null,
): Promise<{ readonly id: string; readonly version: number } | null> {
  if (id === null) return null;
  try {
    const { version } = await findRunRow(ctx, projectId, id);
    return { id, version };
  } catch {
    return null;
  }
}
