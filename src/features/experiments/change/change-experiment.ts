import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Ctx } from '../../../context.ts';
import { type AuditNote, commitChange } from '../../../core/audit/index.ts';
import type { ProjectScope } from '../../../core/tenancy/index.ts';
import { brokenConstraint } from '../../../db/constraint.ts';
import { newId } from '../../../db/new-id.ts';
import { badRequest, conflict } from '../../../errors.ts';
import type { Actor } from '../../../module.ts';
import type { Experiment, NewExperiment } from '../contract.ts';
import { findByRunId, findExperiment, findRow } from '../queries.ts';
import { runnerOf } from '../run/runner.ts';
import { spentNano } from '../run/spent.ts';
import { experimentSubject } from '../subject.ts';
import { experimentRuns, experiments } from '../table.ts';
import { estimatePlan, type Unusable } from './estimate.ts';
import { resolvePlan } from './resolve-plan.ts';
import { sweepResults } from './sweep.ts';

/** Who changes the experiments of a project. */
export type ExperimentEditor = {
  readonly scope: ProjectScope;
  readonly actor: Actor;
  /** Id of the author. */
  readonly by: string;
};

/** A new experiment, and the items that its prompt cannot take. */
type Created = Experiment & { readonly unusable: Unusable | null };

/** Most experiments of a project, and most that are not ended. */
const MOST = { all: 1_000, unfinished: 10 };
const UNFINISHED = ['preparing', 'running', 'open', 'paused'] as const;

/**
 * Creates an experiment and starts it. One with the `runId` of a known one answers with that.
 * @throws AppError 400 for what cannot run, 404 for what does not exist, 409 for one too many
 */
export async function createExperiment(
  ctx: Ctx,
  by: ExperimentEditor,
  input: NewExperiment,
): Promise<Created> {
  const { scope } = by;
  const { projectId, organizationId } = scope;
  const { runId = null } = input;
  const known = runId === null ? null : await findByRunId(ctx, projectId, runId);
  const existing = async (id: string): Promise<Created> => ({
    ...(await findExperiment(ctx, projectId, id)),
    unusable: null,
  });
  if (known !== null) return existing(known.id);
  if (input.baselineId !== undefined) await findRow(ctx, projectId, input.baselineId);
  const plan = await resolvePlan(ctx, scope, input);
  const { maxUsd, calls, unusable } = await estimatePlan(ctx, scope, plan);
  if (input.maxCostUsd !== undefined && calls > 0 && maxUsd === null)
    throw badRequest(
      'maxCostUsd: the price of a model is not known; set it under Prices, or leave maxCostUsd out',
    );
  const id = newId('exp', ctx.now());
  const unfinished = sql`(SELECT count(*) FROM experiments WHERE project_id = ${projectId} AND status IN ('preparing', 'running', 'open', 'paused'))`;
  const all = sql`(SELECT count(*) FROM experiments WHERE project_id = ${projectId})`;
  const insert = ctx.db.sql.insert(experiments).values({
    // Null, which no experiment can have as its id, when there are too many.
    id: sql<string>`(SELECT ${id} WHERE ${all} < ${MOST.all} AND ${unfinished} < ${MOST.unfinished})`,
    organizationId,
    projectId,
    name: input.name,
    runId,
    datasetId: plan.datasetId,
    datasetVersion: plan.datasetVersion,
    split: input.split ?? null,
    task: plan.task,
    evaluators: plan.evaluators,
    repetitions: input.repetitions,
    concurrency: input.concurrency,
    maxCostNano: nanoOf(input.maxCostUsd),
    baselineId: input.baselineId ?? null,
    status: plan.task.kind === 'external' ? 'open' : 'preparing',
    planned: plan.runs,
    preparedNo: 0,
    createdBy: by.by,
    createdAt: new Date(ctx.now()),
  });
  try {
    await commit(ctx, by, { action: 'experiment.created', id, statement: insert });
  } catch (error) {
    const columns = brokenConstraint(error)?.columns ?? [];
    // Two requests with the same id at once.
    const twin =
      columns.includes('experiments.run_id') && runId !== null
        ? await findByRunId(ctx, projectId, runId)
        : null;
    if (twin !== null) return existing(twin.id);
    if (!columns.includes('experiments.id')) throw error;
    throw conflict(
      `A project has at most ${MOST.all.toLocaleString('en-US')} experiments, and ${MOST.unfinished} that are not ended; cancel or delete some first`,
    );
  }
  if (plan.task.kind === 'prompt') runnerOf(ctx).start(id);
  return { ...(await findExperiment(ctx, projectId, id)), unusable };
}

const nanoOf = (usd: number | undefined): number | null => (usd === undefined ? null : Math.round(usd * 1e9));

/** Ends the calls of an experiment. Throws AppError 404, 409 if it has ended. */
export async function cancelExperiment(ctx: Ctx, by: ExperimentEditor, id: string): Promise<Experiment> {
  const { projectId } = by.scope;
  const { status, name } = await findRow(ctx, projectId, id);
  const statement = ctx.db.sql
    .update(experiments)
    .set({ status: 'cancelled', error: null, finishedAt: new Date(ctx.now()) })
    .where(and(eq(experiments.id, id), inArray(experiments.status, [...UNFINISHED])));
  const changed = await commit(ctx, by, { action: 'experiment.cancelled', id, statement });
  if (changed === 0 && status !== 'cancelled') throw conflict(`${name} has ended already`);
  await runnerOf(ctx).stop(id);
  return findExperiment(ctx, projectId, id);
}

type Resume = {
  readonly id: string;
  readonly retryFailed: boolean;
  readonly maxCostUsd?: number | undefined;
};

/** Goes on with an experiment. Throws AppError 404, 409 if there is nothing to go on with. */
export async function resumeExperiment(
  ctx: Ctx,
  by: ExperimentEditor,
  { id, retryFailed, maxCostUsd }: Resume,
): Promise<Experiment> {
  const { projectId } = by.scope;
  const row = await findRow(ctx, projectId, id);
  const isEnded = row.status === 'completed' && !retryFailed;
  if (isEnded) throw conflict(`${row.name} has ended; set retryFailed to run what failed again`);
  const maxCostNano = nanoOf(maxCostUsd) ?? row.maxCostNano;
  if (row.status === 'paused' && maxCostNano !== null && (await spentNano(ctx, id)) >= maxCostNano)
    throw conflict(`${row.name} has cost its limit of $${maxCostNano / 1e9}; give a higher maxCostUsd`);
  const status =
    row.task.kind === 'external'
      ? 'open'
      : row.status === 'preparing' || isUnprepared(row)
        ? 'preparing'
        : 'running';
  const update = ctx.db.sql
    .update(experiments)
    .set({ status, error: null, finishedAt: null, maxCostNano })
    .where(eq(experiments.id, id));
  await commit(
    ctx,
    by,
    { action: 'experiment.resumed', id, statement: update },
    retryFailed ? [retry(ctx, row.task.kind, id)] : [],
  );
  runnerOf(ctx).start(id);
  return findExperiment(ctx, projectId, id);
}

/** Cancelled or paused while its runs were being made: making them again is harmless. */
const isUnprepared = ({ status }: { readonly status: string }): boolean =>
  status === 'paused' || status === 'cancelled';

/** Failed runs, and runs with a failed score, get new calls. */
function retry(ctx: Ctx, kind: 'prompt' | 'external', id: string) {
  const hasFailedScore = sql`EXISTS (SELECT 1 FROM experiment_scores AS s WHERE s.experiment_id = ${id}
    AND s.no = ${experimentRuns.no} AND s.repetition = ${experimentRuns.repetition} AND s.error IS NOT NULL)`;
  const isFailed =
    kind === 'prompt'
      ? sql`(state = 'failed' OR ${hasFailedScore})`
      : sql`state = 'done' AND ${hasFailedScore}`;
  return ctx.db.sql
    .update(experimentRuns)
    .set({ state: kind === 'prompt' ? 'waiting' : 'judging', round: sql`round + 1` })
    .where(and(eq(experimentRuns.experimentId, id), isFailed));
}

/** Ends an external experiment. Throws AppError 404, 409. */
export async function finishExperiment(ctx: Ctx, by: ExperimentEditor, id: string): Promise<Experiment> {
  const { projectId } = by.scope;
  const { task, name, status } = await findRow(ctx, projectId, id);
  if (task.kind !== 'external') throw conflict(`${name} runs on the server and ends by itself`);
  const statement = ctx.db.sql
    .update(experiments)
    .set({ status: 'running' })
    .where(and(eq(experiments.id, id), eq(experiments.status, 'open')));
  const changed = await commit(ctx, by, { action: 'experiment.finished', id, statement });
  if (changed === 0 && status === 'cancelled') throw conflict(`${name} was cancelled; resume it first`);
  runnerOf(ctx).start(id);
  return findExperiment(ctx, projectId, id);
}

/** Deletes an experiment with its results. Throws AppError 404. */
export async function deleteExperiment(ctx: Ctx, by: ExperimentEditor, id: string): Promise<void> {
  await findRow(ctx, by.scope.projectId, id);
  const statement = ctx.db.sql.delete(experiments).where(eq(experiments.id, id));
  await commit(ctx, by, { action: 'experiment.deleted', id, statement });
  await runnerOf(ctx).stop(id);
  await sweepResults(ctx, AbortSignal.timeout(60_000));
}

type Statement = Parameters<typeof commitChange>[2]['statements'][number];
type Change = { readonly action: string; readonly id: string; readonly statement: Statement };

/** @returns how many experiments changed */
async function commit(
  ctx: Ctx,
  { scope, actor }: ExperimentEditor,
  { action, id, statement }: Change,
  more: readonly Statement[] = [],
): Promise<number> {
  const { organizationId, projectId } = scope;
  const note: AuditNote = { action, organizationId, projectId, subject: { of: experimentSubject, id } };
  const [changed = 0] = await commitChange(ctx, actor, { statements: [statement, ...more], audit: [note] });
  return changed;
}
