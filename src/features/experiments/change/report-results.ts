import { sql } from 'drizzle-orm';
import type { Ctx } from '../../../context.ts';
import { commitChange } from '../../../core/audit/index.ts';
import { getItems } from '../../../core/datasets/index.ts';
import { badRequest, conflict } from '../../../errors.ts';
import { jsonProblem } from '../../../lib/json-limits.ts';
import type { ReportedResult } from '../contract.ts';
import { findRow } from '../queries.ts';
import { outputText, upsertScore } from '../run/run-item.ts';
import { runnerOf } from '../run/runner.ts';
import { experimentRuns } from '../table.ts';
import type { ExperimentEditor } from './change-experiment.ts';

const OUTPUT_LIMITS = { maxDepth: 32, maxKeys: 5_000 };

type Report = { readonly id: string; readonly items: readonly ReportedResult[] };

/**
 * Stores results of an external experiment; the server's evaluators then score them. A result that is known changes
 * nothing, another one for the same item and repetition replaces it.
 * @returns number of results
 * @throws AppError 400 for an unknown item, 404, 409 if the experiment is not open
 */
export async function reportResults(ctx: Ctx, by: ExperimentEditor, { id, items }: Report): Promise<number> {
  const { projectId, organizationId, no: project } = by.scope;
  const experiment = await findRow(ctx, projectId, id);
  if (experiment.status !== 'open')
    throw conflict(
      experiment.task.kind === 'external'
        ? `${experiment.name} is ${experiment.status}; only an open experiment takes results`
        : `${experiment.name} runs on the server; results cannot be reported`,
    );
  refuseTwice(items, experiment.repetitions);
  const wanted = {
    datasetId: experiment.datasetId,
    version: experiment.datasetVersion,
    ids: items.map(({ itemId }) => itemId),
  };
  const found = new Map(
    (await ctx.db.read(getItems, [project], wanted)).parse().map((item) => [item.id, item]),
  );
  const statements = items.flatMap((result) => {
    const item = found.get(result.itemId);
    if (item === undefined || (experiment.split !== null && item.split !== experiment.split))
      throw badRequest(
        `There is no item ${result.itemId} in version ${experiment.datasetVersion} of the dataset`,
      );
    const place = {
      experimentId: id,
      project,
      no: item.no,
      repetition: result.repetition,
      itemId: item.id,
      userId: item.userId,
    };
    const isJudged = experiment.evaluators.length > 0;
    return [upsertRun(ctx, place, result, isJudged), ...scoresOf(ctx, place, result)];
  });
  await commitChange(ctx, by.actor, {
    statements,
    audit: [
      {
        action: 'experiment.results_reported',
        organizationId,
        projectId,
        after: { experiment: id, results: items.length },
      },
    ],
  });
  if (experiment.evaluators.length > 0 || items.some(needsCost)) runnerOf(ctx).start(id);
  return items.length;
}

function refuseTwice(items: readonly ReportedResult[], repetitions: number): void {
  const seen = new Set<string>();
  for (const { itemId, repetition, output } of items) {
    if (repetition > repetitions)
      throw badRequest(`${itemId}: the experiment has ${repetitions} repetitions, not ${repetition}`);
    const place = JSON.stringify([itemId, repetition]);
    if (seen.has(place)) throw badRequest(`${itemId}: is twice in the request`);
    seen.add(place);
    const problem = jsonProblem(output, OUTPUT_LIMITS, 'output');
    if (problem !== null) throw badRequest(`${itemId}: ${problem}`);
  }
}

/** Whether the cost of a result is to be read from its trace. */
const needsCost = ({ traceId, costUsd }: ReportedResult): boolean =>
  traceId !== undefined && traceId !== '' && costUsd === undefined;

type Place = Pick<
  typeof experimentRuns.$inferInsert,
  'experimentId' | 'project' | 'no' | 'repetition' | 'itemId' | 'userId'
>;

function upsertRun(ctx: Ctx, place: Place, result: ReportedResult, isJudged: boolean) {
  const { output, error = null, latencyMs = null, costUsd, traceId = null } = result;
  const row = {
    ...place,
    state: needsCost(result) ? 'judging' : error !== null ? 'failed' : isJudged ? 'judging' : 'done',
    output: error !== null && output === undefined ? null : outputText(output),
    error,
    traceId,
    latencyMs,
    costNano: costUsd === undefined ? null : Math.round(costUsd * 1e9),
    endedAt: new Date(ctx.now()),
  } as const;
  return ctx.db.sql
    .insert(experimentRuns)
    .values(row)
    .onConflictDoUpdate({
      target: [experimentRuns.experimentId, experimentRuns.no, experimentRuns.repetition],
      set: {
        state: sql`excluded.state`,
        output: sql`excluded.output`,
        error: sql`excluded.error`,
        traceId: sql`excluded.trace_id`,
        latencyMs: sql`excluded.latency_ms`,
        costNano: sql`excluded.cost_nano`,
        endedAt: sql`excluded.ended_at`,
        // Another output is judged by calls of its own.
        round: sql`round + 1`,
      },
      // A cost that was read from the trace is no difference.
      setWhere: sql`(output, error, trace_id, latency_ms) IS NOT (excluded.output, excluded.error, excluded.trace_id, excluded.latency_ms)
        OR (excluded.cost_nano IS NOT NULL AND cost_nano IS NOT excluded.cost_nano)`,
    });
}

const scoresOf = (ctx: Ctx, place: Place, { scores }: ReportedResult) =>
  scores.map(({ name, value, comment = null }) =>
    upsertScore(ctx, {
      ...place,
      name,
      value: typeof value === 'string' ? null : Number(value),
      category: typeof value === 'string' ? value : null,
      comment,
      error: null,
      eventId: null,
      costNano: 0,
    }),
  );
