import { type Ctx, listService, type Service } from '../../context.ts';
import { ownSpans } from '../../http/own-spans.ts';
import type { JobRun } from './queries.ts';

/** A run in progress. `done` resolves when its row is closed, whatever its status. */
type RunningJob = { readonly id: string; readonly abort: AbortController; readonly done: Promise<void> };

/** The runs of a job since the process started. */
export type JobTally = {
  readonly ok: number;
  readonly failed: number;
  readonly interrupted: number;
  /** Start of the last run that ended, in epoch milliseconds, and how long it took. */
  readonly last: { readonly startedAt: number; readonly ms: number; readonly status: keyof typeof NO_RUNS };
};

const NO_RUNS = { ok: 0, failed: 0, interrupted: 0 } as const;

/** Current runs by job name. They are complete, because only one process writes to a file. */
export type Runs = {
  stopped: boolean;
  readonly byJob: Map<string, RunningJob>;
  readonly tallies: Map<string, JobTally>;
};

const runs: Service<Runs> = {
  name: 'jobs.runs',
  open: () => ({ stopped: false, byJob: new Map(), tallies: new Map() }),
};
export const jobServices = [listService(runs), listService(ownSpans)];

/** The runs of this process. */
export const runsOf = (ctx: Ctx): Runs => ctx.use(runs);

/** Counts a run that ended. Quiet runs count too, although they are not recorded. */
export function tallyRun(ctx: Ctx, job: string, { startedAt, finishedAt, status }: JobRun): void {
  if (status === 'running') return;
  const { tallies } = runsOf(ctx);
  const before = tallies.get(job) ?? NO_RUNS;
  const since = Date.parse(startedAt);
  const ms = finishedAt === null ? 0 : Date.parse(finishedAt) - since;
  const plus = (one: keyof typeof NO_RUNS): number => before[one] + (one === status ? 1 : 0);
  const counts = { ok: plus('ok'), failed: plus('failed'), interrupted: plus('interrupted') };
  tallies.set(job, { ...counts, last: { startedAt: since, ms, status } });
}

/** The runs of each job since this process started, by the job's name. */
export const jobTallies = (ctx: Ctx): ReadonlyMap<string, JobTally> => runsOf(ctx).tallies;
