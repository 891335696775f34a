import { and, asc, eq, gt, ne, sql } from 'drizzle-orm';
import { type Ctx, listService, type Service } from '../../../context.ts';
import { modelsOf } from '../../../core/models/index.ts';
import { outboundOf } from '../../../core/outbound/index.ts';
import { findProject } from '../../../core/projects/index.ts';
import { operatorScope } from '../../../core/tenancy/index.ts';
import { AppError } from '../../../errors.ts';
import type { Job } from '../../../module.ts';
import { findSuite, type RunRow } from '../queries.ts';
import { summarize } from '../read/read-run.ts';
import { secretsOf } from '../secrets.ts';
import { simulationConversations, simulationRuns } from '../table.ts';
import type { ConversationRow, RunContext } from './place.ts';
import { plansFor } from './plans-for.ts';
import { runOne } from './run-one.ts';
import { spentNano } from './spent.ts';

/** Conversations that are read at a time. */
const PAGE = 100;

type Active = { readonly controller: AbortController; readonly done: Promise<void>; again: boolean };

/** The runs that this process has under way. */
export type Runner = {
  /** Runs a run, or looks at it once more if it is running. */
  start(id: string): void;
  /** Ends the requests of a run. Resolves when none is under way. */
  stop(id: string): Promise<void>;
  readonly active: Map<string, Active>;
};

const runner: Service<Runner> = { name: 'simulations.runner', open: createRunner, close: closeRunner };
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
    const done = runAll(ctx, id, controller.signal)
      .catch((error: unknown) => pause(ctx, id, error, controller.signal))
      .catch((error: unknown) => ctx.log.error({ err: error, run: id }, 'a run of a simulation stopped'))
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

/** What is opened before is closed after. Many runs need no models, so wrong settings of them are no error here. */
function openBefore(ctx: Ctx): void {
  outboundOf(ctx);
  try {
    modelsOf(ctx);
  } catch (error) {
    ctx.log.warn({ err: error }, 'simulations cannot call models');
  }
}

async function closeRunner({ active }: Runner): Promise<void> {
  const all = [...active.values()];
  for (const { controller } of all) controller.abort(new Error('stopped'));
  await Promise.allSettled(all.map(({ done }) => done));
}

/** A run that cannot go on waits for a person, who sees why. A stop of the server is no reason. */
async function pause(ctx: Ctx, id: string, error: unknown, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  if (!(error instanceof AppError)) throw error;
  // An overloaded server or a missing setting may pass: the job goes on within a minute.
  const mayPass = error.status >= 500;
  await ctx.db.sql
    .update(simulationRuns)
    .set({ error: error.message, ...(!mayPass && { status: 'paused' as const }) })
    .where(and(eq(simulationRuns.id, id), eq(simulationRuns.status, 'running')));
}

async function runAll(ctx: Ctx, id: string, signal: AbortSignal): Promise<void> {
  const [run] = await ctx.db.sql
    .select()
    .from(simulationRuns)
    .where(and(eq(simulationRuns.id, id), eq(simulationRuns.status, 'running')));
  if (run === undefined) return;
  const scope = operatorScope(await findProject(ctx, run.projectId));
  const { row, suite } = await findSuite(ctx, run.projectId, { id: run.simulationId, version: run.version });
  const placed = plansFor({ ...suite, seed: run.seed }, run);
  const plans = new Map(placed.map(({ place, plan }) => [place, plan]));
  const of: RunContext = { run, scope, plans, secrets: secretsOf(ctx, row), signal };
  const purse = await createPurse(ctx, run);
  // One queue for all workers, so that a long conversation holds up no other.
  let after = 0;
  let page: ConversationRow[] = [];
  let reading: Promise<void> | null = null;
  const next = async (): Promise<ConversationRow | undefined> => {
    if (page.length === 0) {
      reading ??= readPage(ctx, id, after).then((rows) => {
        page = rows;
        after = rows.at(-1)?.no ?? after;
        reading = null;
      });
      await reading;
    }
    return page.shift();
  };
  const failures: unknown[] = [];
  const work = async (): Promise<void> => {
    while (failures.length === 0 && !signal.aborted) {
      const conversation = await next();
      if (conversation === undefined) return;
      try {
        await purse.pay(() => runOne(ctx, of, conversation));
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: run.concurrency }, work));
  signal.throwIfAborted();
  if (failures.length > 0) throw failures[0];
  await finish(ctx, run);
}

const readPage = (ctx: Ctx, id: string, after: number): Promise<ConversationRow[]> =>
  ctx.db.sql
    .select()
    .from(simulationConversations)
    .where(
      and(
        eq(simulationConversations.runId, id),
        ne(simulationConversations.state, 'done'),
        gt(simulationConversations.no, after),
      ),
    )
    .orderBy(asc(simulationConversations.no))
    .limit(PAGE);

/** Holds the cost of a run below its limit. */
type Purse = {
  /** @throws AppError 429 if the run could cost more than its limit */
  pay(run: () => Promise<number>): Promise<void>;
};

async function createPurse(ctx: Ctx, { id, maxCostNano }: RunRow): Promise<Purse> {
  let spent = maxCostNano === null ? 0 : await spentNano(ctx, id);
  let running = 0;
  let largest = 0;
  return {
    async pay(run) {
      // Each conversation that is under way may cost as much as the largest so far.
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

/** Ends a run that has nothing left. */
async function finish(ctx: Ctx, { id }: RunRow): Promise<void> {
  const isLeft = sql`EXISTS (SELECT 1 FROM simulation_conversations WHERE run_id = ${id} AND state <> 'done')`;
  await ctx.db.sql
    .update(simulationRuns)
    .set({ status: 'completed', error: null, finishedAt: new Date(ctx.now()) })
    .where(and(eq(simulationRuns.id, id), eq(simulationRuns.status, 'running'), sql`NOT ${isLeft}`));
  await summarize(ctx, id);
}

/** `simulations.run`: goes on with runs that a restart interrupted. */
export const runJob: Job = {
  name: 'simulations.run',
  summary: 'Go on with runs of simulations that a restart of the server interrupted',
  schedule: '* * * * *',
  quiet: true,
  run: async (ctx) => {
    const rows = await ctx.db.sql
      .select({ id: simulationRuns.id })
      .from(simulationRuns)
      .where(eq(simulationRuns.status, 'running'))
      .limit(1_000);
    const { start, active } = runnerOf(ctx);
    const idle = rows.filter(({ id }) => !active.has(id));
    for (const { id } of idle) start(id);
    return idle.length === 0 ? {} : { started: idle.length };
  },
};
