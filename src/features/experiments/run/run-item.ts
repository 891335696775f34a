import { and, eq, sql } from 'drizzle-orm';
import type { Ctx } from '../../../context.ts';
import type { ReadItem } from '../../../core/datasets/index.ts';
import { eventsOf } from '../../../core/events/index.ts';
import { askModel, forgetAnswers } from '../../../core/models/index.ts';
import { ofProject, type ProjectScope } from '../../../core/tenancy/index.ts';
import { AppError } from '../../../errors.ts';
import { MAX_OUTPUT } from '../input/contract.ts';
import type { ExperimentRow } from '../queries.ts';
import { experimentRuns, experimentScores } from '../table.ts';
import { failed, type Judgement, judge } from './judge.ts';
import { callKey, type LoadedTask, messagesFor, type RunPlace, traceOf } from './load-task.ts';

export type RunRow = typeof experimentRuns.$inferSelect;

/** All that a run needs. `task`: null for an external one. */
export type RunContext = {
  readonly experiment: ExperimentRow;
  readonly scope: ProjectScope;
  readonly task: LoadedTask | null;
  readonly signal: AbortSignal;
};

type TaskResult = Pick<RunRow, 'output' | 'error' | 'eventId' | 'latencyMs' | 'costNano'>;

/**
 * Runs an item and scores its output. The answers of models are kept under the keys of the run until the one transaction
 * that stores the results, so a crash in between repeats no call that was answered.
 * @returns known cost in nano-dollars
 * @throws AppError 429 and 503, which hold back all runs; the signal's reason
 */
export async function runItem(
  ctx: Ctx,
  of: RunContext,
  { run, item }: { run: RunRow; item: ReadItem | undefined },
): Promise<number> {
  const place: RunPlace = run;
  const keys: string[] = [];
  const keyed = (what: string): string => {
    const key = callKey(place, what);
    keys.push(key);
    return key;
  };
  const result = await taskResult(ctx, of, { run, item, key: () => keyed('task') });
  const judged: [string, Judgement][] =
    result.error !== null || item === undefined
      ? []
      : await Promise.all(
          of.experiment.evaluators.map(async (evaluator): Promise<[string, Judgement]> => {
            const { latencyMs, costNano } = result;
            const { scope, signal } = of;
            const judging = judge(ctx, evaluator, {
              ...{ item, output: parseOutput(result.output), latencyMs, costNano },
              ...{ scope, signal, experimentId: of.experiment.id, traceId: traceOf(place) },
              key: keyed(`score/${evaluator.scoreName}`),
            });
            return [evaluator.scoreName, await orFailed(judging)];
          }),
        );
  await storeRun(ctx, of, { run, result, judged, keys });
  return (result.costNano ?? 0) + judged.reduce((sum, [, { costNano }]) => sum + (costNano ?? 0), 0);
}

export const parseOutput = (text: string | null): unknown => (text === null ? null : JSON.parse(text));

/** Cut where it is too long: the whole is in the event, if the project stores prompts. */
export const outputText = (output: unknown): string => {
  const text = JSON.stringify(output ?? null);
  return text.length <= MAX_OUTPUT ? text : JSON.stringify(`${text.slice(0, MAX_OUTPUT / 2)} … cut`);
};

/** What holds back all calls is thrown; what is wrong with this one becomes its error. */
const isGeneral = (error: unknown): boolean =>
  !(error instanceof AppError) || error.status === 429 || error.status >= 500;

async function orFailed(judging: Promise<Judgement>): Promise<Judgement> {
  try {
    return await judging;
  } catch (error) {
    if (isGeneral(error)) throw error;
    return failed((error as AppError).message);
  }
}

/** What the calls of a reported trace cost, in nano-dollars; null if unknown. */
async function costOfTrace(ctx: Ctx, { scope }: RunContext, { traceId }: RunRow): Promise<number | null> {
  if (!traceId) return null;
  const line = await eventsOf(ctx).traceLine(ofProject(scope), traceId);
  return line === null || line.unpriced > 0 ? null : Math.round(line.cost_usd * 1e9);
}

type TaskInput = { readonly run: RunRow; readonly item: ReadItem | undefined; readonly key: () => string };

async function taskResult(ctx: Ctx, of: RunContext, { run, item, key }: TaskInput): Promise<TaskResult> {
  if (of.task === null) return { ...run, costNano: run.costNano ?? (await costOfTrace(ctx, of, run)) };
  const none = { output: null, eventId: null, latencyMs: null, costNano: 0 };
  if (item === undefined) return { ...none, error: 'The item is no longer in the dataset' };
  try {
    return await askTask(ctx, of, { task: of.task, run, item, key });
  } catch (error) {
    if (isGeneral(error)) throw error;
    return { ...none, error: (error as AppError).message };
  }
}

async function askTask(
  ctx: Ctx,
  { experiment, scope, signal }: RunContext,
  { task, run, item, key }: TaskInput & { readonly task: LoadedTask; readonly item: ReadItem },
): Promise<TaskResult> {
  const messages = messagesFor(task, item);
  const answered = await askModel(
    ctx,
    {
      scope,
      actor: { kind: 'system', name: 'experiments.run' },
      agent: 'experiment',
      action: 'model.called',
      model: task.model,
      messages,
      config: task.config,
      prompt: task.prompt,
      key: key(),
      traceId: traceOf(run),
      tags: { experiment: experiment.id },
    },
    { signal },
  );
  const last = answered.calls.at(-1);
  if (last?.status === 'cancelled') signal.throwIfAborted();
  const output = answered.value === undefined ? answered.text : answered.value;
  return {
    output: answered.status === 'success' ? outputText(output) : null,
    error: answered.status === 'success' ? null : (answered.error ?? answered.status),
    eventId: last?.eventId ?? null,
    latencyMs: answered.calls.reduce((sum, { latencyMs }) => sum + latencyMs, 0),
    costNano: answered.costUsd === null ? null : Math.round(answered.costUsd * 1e9),
  };
}

type Stored = {
  readonly run: RunRow;
  readonly result: TaskResult;
  readonly judged: readonly (readonly [string, Judgement])[];
  readonly keys: readonly string[];
};

/** One transaction: the result, its scores, and the end of the kept answers. */
async function storeRun(
  ctx: Ctx,
  { scope, task }: RunContext,
  { run, result, judged, keys }: Stored,
): Promise<void> {
  const { experimentId, no, repetition } = run;
  const { output, error, eventId, latencyMs, costNano } = result;
  const update = ctx.db.sql
    .update(experimentRuns)
    .set({
      state: error === null ? 'done' : 'failed',
      ...(task === null
        ? { costNano }
        : { output, error, eventId, latencyMs, costNano, traceId: traceOf(run) }),
      endedAt: new Date(ctx.now()),
    })
    .where(
      and(
        eq(experimentRuns.experimentId, experimentId),
        eq(experimentRuns.no, no),
        eq(experimentRuns.repetition, repetition),
        // Reported again or repeated meanwhile: that run is still to come.
        eq(experimentRuns.round, run.round),
      ),
    );
  const scores = judged.map(([name, one]) =>
    upsertScore(ctx, {
      experimentId,
      project: scope.no,
      no,
      repetition,
      name,
      itemId: run.itemId,
      userId: run.userId,
      ...one,
    }),
  );
  await ctx.db.sql.batch([update, ...scores, forgetAnswers(ctx, scope, keys)]);
}

/** The row of a score, in the place of one that is there. */
export const upsertScore = (ctx: Ctx, row: typeof experimentScores.$inferInsert) =>
  ctx.db.sql
    .insert(experimentScores)
    .values(row)
    .onConflictDoUpdate({
      target: [
        experimentScores.experimentId,
        experimentScores.no,
        experimentScores.repetition,
        experimentScores.name,
      ],
      set: {
        value: sql`excluded.value`,
        category: sql`excluded.category`,
        comment: sql`excluded.comment`,
        error: sql`excluded.error`,
        eventId: sql`excluded.event_id`,
        costNano: sql`excluded.cost_nano`,
      },
    });
