import { and, desc, eq, sql } from 'drizzle-orm';
import type { Ctx } from '../../../context.ts';
import { commitChange } from '../../../core/audit/index.ts';
import { modelsOf, settingsOfPrompt } from '../../../core/models/index.ts';
import { outboundOf } from '../../../core/outbound/index.ts';
import { compileVersions } from '../../../core/prompts/index.ts';
import { brokenConstraint } from '../../../db/constraint.ts';
import { newId } from '../../../db/new-id.ts';
import { badRequest, conflict } from '../../../errors.ts';
import { findByRunId, findRun, findSuite } from '../queries.ts';
import { type Placed, plansFor } from '../run/plans-for.ts';
import { runnerOf } from '../run/runner.ts';
import type { NewRun, SimulationRun } from '../runs/contract.ts';
import { headersWith, type Secrets, secretsOf } from '../secrets.ts';
import { simulationRunSubject } from '../subject.ts';
import { type ResolvedPrompt, simulationConversations, simulationRuns } from '../table.ts';
import type { Editor } from './save-suite.ts';

const MOST = { all: 1_000, unfinished: 10 };
/** Conversations that one statement makes. */
const SLICE = 500;

type Wanted = NewRun & { readonly id: string };

/**
 * Starts a run. One with the `runId` of a known one answers with that.
 * @throws AppError 400 for what cannot run, 404, 409 for one too many, 503 without models
 */
export async function startRun(
  ctx: Ctx,
  editor: Editor,
  { id: simulationId, ...wanted }: Wanted,
): Promise<SimulationRun> {
  const { projectId, organizationId, no: project } = editor.scope;
  const { runId = null } = wanted;
  const known = runId === null ? null : await findByRunId(ctx, projectId, runId);
  if (known !== null) return findRun(ctx, projectId, known.id);
  const { row, suite, version } = await findSuite(ctx, projectId, {
    id: simulationId,
    version: wanted.version,
  });
  const seed = wanted.seed ?? suite.seed ?? 1;
  const plans = plansFor({ ...suite, seed }, wanted);
  const prompts = await resolveTargets(ctx, editor, { plans, secrets: secretsOf(ctx, row) });
  const conversations = plans.flatMap(({ plan, place }) =>
    Array.from({ length: plan.repetitions }, (_, i) => ({ place, scenario: plan.name, repetition: i + 1 })),
  );
  const id = newId('smr', ctx.now());
  const count = (where: ReturnType<typeof sql>) =>
    sql`(SELECT count(*) FROM simulation_runs WHERE project_id = ${projectId} ${where})`;
  const insert = ctx.db.sql.insert(simulationRuns).values({
    // Null, which no run can have as its id, when there are too many.
    id: sql<string>`(SELECT ${id} WHERE ${count(sql``)} < ${MOST.all} AND ${count(sql`AND status IN ('running', 'paused')`)} < ${MOST.unfinished})`,
    organizationId,
    projectId,
    simulationId,
    version,
    runId,
    seed,
    concurrency: wanted.concurrency ?? suite.concurrency ?? 4,
    maxCostNano: nanoOf(wanted.maxCostUsd ?? suite.costCap),
    only: wanted.only ?? null,
    repetitions: wanted.repetitions ?? null,
    prompts,
    baselineId: await lastCompleted(ctx, simulationId),
    status: 'running',
    planned: conversations.length,
    createdBy: editor.by,
    createdAt: new Date(ctx.now()),
  });
  const rows = conversations.map((one, i) => ({
    ...one,
    runId: id,
    project,
    no: i + 1,
    state: 'waiting' as const,
  }));
  const slices = Array.from({ length: Math.ceil(rows.length / SLICE) }, (_, i) =>
    ctx.db.sql.insert(simulationConversations).values(rows.slice(i * SLICE, (i + 1) * SLICE)),
  );
  try {
    await commitChange(ctx, editor.actor, {
      statements: [insert, ...slices],
      audit: [
        {
          action: 'simulation.run_started',
          organizationId,
          projectId,
          subject: { of: simulationRunSubject, id },
        },
      ],
    });
  } catch (error) {
    const columns = brokenConstraint(error)?.columns ?? [];
    // Two requests with the same id at once.
    const twin =
      columns.includes('simulation_runs.run_id') && runId !== null
        ? await findByRunId(ctx, projectId, runId)
        : null;
    if (twin !== null) return findRun(ctx, projectId, twin.id);
    if (!columns.includes('simulation_runs.id')) throw error;
    throw conflict(
      `A project has at most ${MOST.all.toLocaleString('en-US')} runs of simulations, and ${MOST.unfinished} that are not ended; cancel or delete some first`,
    );
  }
  runnerOf(ctx).start(id);
  return findRun(ctx, projectId, id);
}

export const nanoOf = (usd: number | undefined): number | null =>
  usd === undefined ? null : Math.round(usd * 1e9);

type Resolving = { readonly plans: readonly Placed[]; readonly secrets: Secrets };

/** Whether each target can be reached at all, and the versions of prompts as of now. Throws AppError 400, 404, 503. */
async function resolveTargets(
  ctx: Ctx,
  { scope }: Editor,
  { plans, secrets }: Resolving,
): Promise<Record<string, ResolvedPrompt>> {
  const prompts: Record<string, ResolvedPrompt> = {};
  for (const { plan, place } of plans) {
    const about = `scenario ${JSON.stringify(plan.name)}`;
    const { target } = plan;
    if (target.kind === 'function')
      throw badRequest(
        `${about}: a function is called by the SDK only; give a target of the kind http, openai or prompt`,
      );
    if (plan.isPlayed) checkModel(ctx, plan.userModel, `${about}: userModel`);
    for (const criterion of plan.criteria)
      if (criterion.kind === 'judge')
        checkModel(ctx, criterion.model ?? plan.judgeModel, `${about}: judgeModel`);
    if (target.kind === 'prompt') {
      const { prompt, version, label } = target;
      const { candidates } = await compileVersions(ctx, scope.projectId, { name: prompt, version, label });
      const [found, ...others] = candidates;
      if (found === undefined || others.length > 0)
        throw badRequest(
          `${about}: the label ${label ?? 'production'} names several versions; name one with version`,
        );
      const settings = settingsOfPrompt(ctx, found.config);
      const model = target.model ?? settings.model;
      checkModel(ctx, model, `${about}: target.model`);
      prompts[place] = { version: found.version, model: model ?? '', config: settings.config };
      continue;
    }
    headersWith(target, secrets);
    try {
      outboundOf(ctx).check(target.url);
    } catch (error) {
      throw badRequest(`${about}: target.url: ${(error as Error).message}`);
    }
  }
  return prompts;
}

/** Throws AppError 400 without a model, 503 if none is configured. */
function checkModel(ctx: Ctx, model: string | null, what: string): void {
  if (model === null) throw badRequest(`${what}: is missing; give a name of GET /v1/models`);
  const names = modelsOf(ctx).providers.flatMap(({ name, models }) => models.map((one) => `${name}/${one}`));
  if (!names.includes(model))
    throw badRequest(`${what}: ${model} is not configured; give a name of GET /v1/models`);
}

/** The last completed run of a suite: what the next one is compared with. */
export async function lastCompleted(ctx: Ctx, simulationId: string): Promise<string | null> {
  const [row] = await ctx.db.sql
    .select({ id: simulationRuns.id })
    .from(simulationRuns)
    .where(and(eq(simulationRuns.simulationId, simulationId), eq(simulationRuns.status, 'completed')))
    .orderBy(desc(simulationRuns.id))
    .limit(1);
  return row?.id ?? null;
}
