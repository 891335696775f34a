import { and, desc, eq, inArray, lt } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { readNames } from '../../core/datasets/index.ts';
import { users } from '../../core/orgs/table.ts';
import { badRequest, notFound } from '../../errors.ts';
import { formatInstant } from '../../lib/time.ts';
import type { Experiment, ExperimentStatus } from './contract.ts';
import { experiments, type UsedEvaluator } from './table.ts';

export type ExperimentRow = typeof experiments.$inferSelect;

/** The author of what the operator makes on the command line. */
export const OPERATOR = 'operator';

/** Throws AppError 404. */
export async function findRow(ctx: Ctx, projectId: string, id: string): Promise<ExperimentRow> {
  const [row] = await ctx.db.sql
    .select()
    .from(experiments)
    .where(and(eq(experiments.projectId, projectId), eq(experiments.id, id)));
  if (row === undefined) throw notFound(`There is no experiment ${id}`);
  return row;
}

/** The experiment that a request with this id made; null if none did. */
export async function findByRunId(ctx: Ctx, projectId: string, runId: string): Promise<ExperimentRow | null> {
  const [row] = await ctx.db.sql
    .select()
    .from(experiments)
    .where(and(eq(experiments.projectId, projectId), eq(experiments.runId, runId)));
  return row ?? null;
}

/** Throws AppError 404. */
export async function findExperiment(ctx: Ctx, projectId: string, id: string): Promise<Experiment> {
  const [found] = await toExperiments(ctx, [await findRow(ctx, projectId, id)]);
  if (found === undefined) throw notFound(`There is no experiment ${id}`);
  return found;
}

async function toExperiments(ctx: Ctx, rows: readonly ExperimentRow[]): Promise<Experiment[]> {
  const names = await readNames(
    ctx,
    rows.map(({ datasetId }) => datasetId),
  );
  const authors = new Map(
    (
      await ctx.db.sql
        .select({ id: users.id, name: users.name })
        .from(users)
        .where(inIds(rows.map(({ createdBy }) => createdBy)))
    ).map(({ id, name }) => [id, name]),
  );
  return rows.map((row) =>
    toExperiment(row, names.get(row.datasetId) ?? null, authors.get(row.createdBy) ?? null),
  );
}

const inIds = (ids: readonly string[]) => inArray(users.id, [...new Set(ids)]);

function toExperiment(row: ExperimentRow, datasetName: string | null, author: string | null): Experiment {
  const { task } = row;
  return {
    id: row.id,
    name: row.name,
    runId: row.runId,
    datasetId: row.datasetId,
    datasetName,
    datasetVersion: row.datasetVersion,
    split: row.split,
    task:
      task.kind === 'prompt'
        ? { kind: 'prompt', prompt: task.prompt, version: task.version, model: task.model }
        : { kind: 'external', prompt: null, version: null, model: null },
    evaluators: row.evaluators.map(toUsed),
    repetitions: row.repetitions,
    concurrency: row.concurrency,
    maxCostUsd: row.maxCostNano === null ? null : row.maxCostNano / 1e9,
    baselineId: row.baselineId,
    status: row.status,
    error: row.error,
    planned: row.planned,
    createdBy: author ?? (row.createdBy === OPERATOR ? 'Operator' : null),
    createdAt: formatInstant(row.createdAt.getTime()),
    finishedAt: row.finishedAt === null ? null : formatInstant(row.finishedAt.getTime()),
    metrics: [...(row.summary ?? [])],
  };
}

/** What is shown of an evaluator in lists. */
export const toUsed = ({
  name,
  version,
  scoreName,
  rules: { kind },
}: UsedEvaluator): Experiment['evaluators'][number] => ({ name, version, scoreName, kind });

type ListQuery = {
  readonly datasetId?: string | undefined;
  readonly status?: ExperimentStatus | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
};

/** A page of experiments, newest first. Ids increase with time: the cursor is the last one. */
export async function listExperiments(
  ctx: Ctx,
  projectId: string,
  { datasetId, status, cursor, limit }: ListQuery,
): Promise<{ experiments: Experiment[]; nextCursor: string | null }> {
  if (cursor !== undefined && !cursor.startsWith('exp_'))
    throw badRequest('cursor was not returned by this endpoint');
  const rows = await ctx.db.sql
    .select()
    .from(experiments)
    .where(
      and(
        eq(experiments.projectId, projectId),
        datasetId === undefined ? undefined : eq(experiments.datasetId, datasetId),
        status === undefined ? undefined : eq(experiments.status, status),
        cursor === undefined ? undefined : lt(experiments.id, cursor),
      ),
    )
    .orderBy(desc(experiments.id))
    .limit(limit + 1);
  const page = await toExperiments(ctx, rows.slice(0, limit));
  return { experiments: page, nextCursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null };
}
