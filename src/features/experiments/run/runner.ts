import { and, asc, eq, gt, inArray, or, sql } from 'drizzle-orm';
import { type Ctx, listService, type Service } from '../../../context.ts';
import { getItems } from '../../../core/datasets/index.ts';
import { modelsOf } from '../../../core/models/index.ts';
import { findProject } from '../../../core/projects/index.ts';
import { ofProjects, operatorScope } from '../../../core/tenancy/index.ts';
import { AppError } from '../../../errors.ts';
import type { Job } from '../../../module.ts';
import type { ExperimentRow } from '../queries.ts';
import { summarize } from '../read/summarize.ts';
import { experimentRuns, experiments } from '../table.ts';
import { loadTask } from './load-task.ts';
import { prepareRuns } from './prepare.ts';
import { type RunContext, type RunRow, runItem } from './run-item.ts';
import { spentNano } from './spent.ts';

/** Runs that are read at a time. */
const PAGE = 50;

type Active = { readonly controller: AbortController; readonly done: Promise<void>; again: boolean };

/** The experiments that this process runs. */
export type Runner = {
  /** Runs an experiment, or looks at it once more if it is running. */
  start(id: string): void;
  /** Ends the calls of an experiment. Resolves when none runs. */
  stop(id: string): Promise<void>;
  readonly active: Map<string, Active>;
};

const runner: Service<Runner> = { name: 'experiments.runner', open: createRunner, close: closeRunner };
export const runnerService = listService(runner);
export const runnerOf = (ctx: Ctx): Runner => ctx.use(runner);

function createRunner(ctx: Ctx): Runner {
  openBefore(ctx);
  const active: Runner['active'] = new Map();

  function start(id: string): void {
    const running = active.get(id);
    if (running !== undefined) {
      running.again = true;
      return;
    }
    const controller = new AbortController();
    const done = runExperiment(ctx, id, controller.signal)
      .catch((error: unknown) => pause(ctx, id, error, controller.signal))
      .catch((error: unknown) => ctx.log.error({ err: error, experiment: id }, 'an experiment stopped'))
      .finally(() => {
        const again = active.get(id)?.again === true && !controller.signal.aborted;
        active.delete(id);
        if (again) start(id);
      });
    active.set(id, { controller, done, again: false });
  }

  return {
    start,
    active,
    async stop(id) {
      const running = active.get(id);
      running?.controller.abort(new Error('stopped'));
      await running?.done;
    },
  };
}

/** What is opened before is closed after. External experiments need no models, so wrong settings of them are no error here. */
function openBefore(ctx: Ctx): void {
  try {
    modelsOf(ctx);
  } catch (error) {
    ctx.log.warn({ err: error }, 'experiments cannot call models');
  }
}

async function closeRunner({ active }: Runner): Promise<void> {
  const all = [...active.values()];
  for (const { controller } of all) controller.abort(new Error('stopped'));
  await Promise.allSettled(all.map(({ done }) => done));
}

/** An experiment that cannot go on waits for a person, who sees why. A stop of the server is no reason. */
async function pause(ctx: Ctx, id: string, error: unknown, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  if (!(error instanceof AppError)) throw error;
  // An overloaded server or a missing setting may pass: the job goes on within a minute.
  const mayPass = error.status >= 500;
  await ctx.db.sql
    .update(experiments)
    .set({ error: error.message, ...(!mayPass && { status: 'paused' as const }) })
    .where(and(eq(experiments.id, id), inArray(experiments.status, ['preparing', 'running', 'open'])));
}

const findRunning = async (ctx: Ctx, id: string): Promise<ExperimentRow | null> => {
  const [row] = await ctx.db.sql
    .select()
    .from(experiments)
    .where(and(eq(experiments.id, id), inArray(experiments.status, ['preparing', 'running', 'open'])));
  return row ?? null;
};

async function runExperiment(ctx: Ctx, id: string, signal: AbortSignal): Promise<void> {
  const experiment = await findRunning(ctx, id);
  if (experiment === null) return;
  const scope = operatorScope(await findProject(ctx, experiment.projectId));
  if (experiment.status === 'preparing') await prepareRuns(ctx, scope, { experiment, signal });
  const task = experiment.task.kind === 'prompt' ? await loadTask(ctx, scope, experiment.task) : null;
  const of: RunContext = { experiment, scope, task, signal };
  const money = await createPurse(ctx, experiment);
  // Results that are reported meanwhile are before the last position.
  for (let found = true; found; ) {
    found = false;
    for (let after: Position = [0, 0]; ; ) {
      signal.throwIfAborted();
      const runs = await nextRuns(ctx, id, after);
      const last = runs.at(-1);
      if (last === undefined) break;
      found = true;
      await runPage(ctx, of, { runs, money });
      after = [last.no, last.repetition];
    }
  }
  await finish(ctx, experiment);
}

type Position = readonly [no: number, repetition: number];

const nextRuns = (ctx: Ctx, id: string, [no, repetition]: Position): Promise<RunRow[]> =>
  ctx.db.sql
    .select()
    .from(experimentRuns)
    .where(
      and(
        eq(experimentRuns.experimentId, id),
        inArray(experimentRuns.state, ['waiting', 'judging']),
        or(
          gt(experimentRuns.no, no),
          and(eq(experimentRuns.no, no), gt(experimentRuns.repetition, repetition)),
        ),
      ),
    )
    .orderBy(asc(experimentRuns.no), asc(experimentRuns.repetition))
    .limit(PAGE);

type Page = { readonly runs: readonly RunRow[]; readonly money: Purse };

/** Runs some items, as many at once as the experiment says. The first error that holds back all is thrown at the end. */
async function runPage(ctx: Ctx, of: RunContext, { runs, money }: Page): Promise<void> {
  const { datasetId, datasetVersion: version, concurrency } = of.experiment;
  const nos = [...new Set(runs.map(({ no }) => no))];
  const items = (await ctx.db.read(getItems, ofProjects([of.scope]), { datasetId, version, nos })).parse();
  const byNo = new Map(items.map((item) => [item.no, item]));
  const queue = runs.values();
  const failures: unknown[] = [];
  const work = async (): Promise<void> => {
    for (const run of queue) {
      if (failures.length > 0 || of.signal.aborted) return;
      try {
        await money.pay(() => runItem(ctx, of, { run, item: byNo.get(run.no) }));
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  of.signal.throwIfAborted();
  if (failures.length > 0) throw failures[0];
}

/** Holds the cost of an experiment below its limit. */
type Purse = {
  /** @throws AppError 429 if the experiment could cost more than its limit */
  pay(run: () => Promise<number>): Promise<void>;
};

async function createPurse(ctx: Ctx, { id, maxCostNano }: ExperimentRow): Promise<Purse> {
  let spent = maxCostNano === null ? 0 : await spentNano(ctx, id);
  let running = 0;
  let largest = 0;
  return {
    async pay(run) {
      // Each run that is under way may cost as much as the largest so far.
      if (maxCostNano !== null && spent + (running + 1) * largest > maxCostNano)
        throw new AppError(
          429,
          `It would cost more than its limit of $${maxCostNano / 1e9}: $${(spent / 1e9).toFixed(6)} are spent. Resume it with a higher limit`,
        );
      running++;
      try {
        const cost = await run();
        spent += cost;
        largest = Math.max(largest, cost);
      } finally {
        running--;
      }
    },
  };
}

/** Ends an experiment that has nothing left to run; one that waits for reports stays open. */
async function finish(ctx: Ctx, { id }: ExperimentRow): Promise<void> {
  const isLeft = sql`EXISTS (SELECT 1 FROM experiment_runs WHERE experiment_id = ${id} AND state IN ('waiting', 'judging'))`;
  const done = and(eq(experiments.id, id), eq(experiments.status, 'running'), sql`NOT ${isLeft}`);
  await ctx.db.sql
    .update(experiments)
    .set({ status: 'completed', error: null, finishedAt: new Date(ctx.now()) })
    .where(done);
  await summarize(ctx, id);
}

/** `experiments.run`: goes on with experiments that a restart interrupted. */
export const runJob: Job = {
  name: 'experiments.run',
  summary: 'Go on with experiments that a restart of the server interrupted',
  schedule: '* * * * *',
  quiet: true,
  run: async (ctx) => {
    const isJudged = sql`EXISTS (SELECT 1 FROM experiment_runs AS r WHERE r.experiment_id = ${experiments.id} AND r.state = 'judging')`;
    const rows = await ctx.db.sql
      .select({ id: experiments.id })
      .from(experiments)
      .where(
        or(
          inArray(experiments.status, ['preparing', 'running']),
          and(eq(experiments.status, 'open'), isJudged),
        ),
      )
      .limit(1_000);
    const { start, active } = runnerOf(ctx);
    const idle = rows.filter(({ id }) => !active.has(id));
    for (const { id } of idle) start(id);
    return idle.length === 0 ? {} : { started: idle.length };
  },
};
