import { eq } from 'drizzle-orm';
import type { Ctx } from '../../../context.ts';
import { shownConfig } from '../../../core/evaluators/index.ts';
import { findProject } from '../../../core/projects/index.ts';
import { ofProjects, type ProjectScope } from '../../../core/tenancy/index.ts';
import type { ExperimentDetail } from '../contract.ts';
import { type ExperimentRow, findExperiment, findRow, toUsed } from '../queries.ts';
import { experiments } from '../table.ts';
import { directionsOf } from './directions.ts';
import { type Figures, readFigures } from './figures.ts';

/** Keeps the means of an experiment for lists. */
export async function summarize(ctx: Ctx, id: string): Promise<void> {
  const [row] = await ctx.db.sql.select().from(experiments).where(eq(experiments.id, id));
  if (row === undefined) return;
  const { no } = await findProject(ctx, row.projectId);
  const wanted = { id, baselineId: null, directions: await directionsOf(ctx, row) };
  const { metrics } = (await ctx.db.read(readFigures, [no], wanted)).parse();
  await ctx.db.sql.update(experiments).set({ summary: metrics }).where(eq(experiments.id, id));
}

/** An experiment with its figures, compared with a baseline: the named one, or its own. Throws AppError 404. */
export async function readExperiment(
  ctx: Ctx,
  scope: ProjectScope,
  { id, baselineId }: { readonly id: string; readonly baselineId?: string | undefined },
): Promise<ExperimentDetail> {
  const { projectId } = scope;
  const row = await findRow(ctx, projectId, id);
  const experiment = await findExperiment(ctx, projectId, id);
  const baseline = await findBaseline(ctx, projectId, baselineId ?? row.baselineId, baselineId !== undefined);
  const wanted = { id, baselineId: baseline?.id ?? null, directions: await directionsOf(ctx, row) };
  const { compared, ...figures }: Figures = (
    await ctx.db.read(readFigures, ofProjects([scope]), wanted)
  ).parse();
  return {
    ...experiment,
    ...figures,
    evaluators: row.evaluators.map((one) => ({
      ...toUsed(one),
      config: shownConfig(one.rules.config),
      output: 'output' in one.rules ? one.rules.output : null,
    })),
    comparison:
      baseline === null
        ? null
        : {
            id: baseline.id,
            name: baseline.name,
            datasetVersion: baseline.datasetVersion,
            isSameDataset:
              baseline.datasetId === experiment.datasetId &&
              baseline.datasetVersion === experiment.datasetVersion,
            metrics: [...compared],
          },
  };
}

/** The baseline; null without one, or if it was deleted since. Throws AppError 404 for an unknown one that is asked for. */
export async function findBaseline(
  ctx: Ctx,
  projectId: string,
  id: string | null,
  isAsked: boolean,
): Promise<ExperimentRow | null> {
  if (id === null) return null;
  try {
    return await findRow(ctx, projectId, id);
  } catch (error) {
    if (isAsked) throw error;
    return null;
  }
}
