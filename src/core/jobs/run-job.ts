import type { Ctx } from '../../context.ts';
import { conflict, unavailable } from '../../errors.ts';
import { ownError, ownSpans } from '../../http/own-spans.ts';
import { formatInstant } from '../../lib/time.ts';
import type { Actor, Job } from '../../module.ts';
import { closeRuns, insertRun, type JobRun, updateRun } from './queries.ts';
import { runsOf, tallyRun } from './running.ts';

/**
 * Runs a job and records the run. A failure is reported in the run's status, not thrown.
 * @param actor who started it by hand, for the audit log; null if scheduled
 * @returns the closed run: `ok`, `failed`, or `interrupted` by `stopJobs`
 * @throws AppError 409 while the same job runs; 503 after `stopJobs`
 */
export async function runJob(
  ctx: Ctx,
  job: Job,
  trigger: JobRun['trigger'],
  actor: Actor | null = null,
): Promise<JobRun> {
  const runs = runsOf(ctx);
  if (runs.stopped) throw unavailable('The server is shutting down');
  if (runs.byJob.has(job.name)) throw conflict(`${job.name} is already running; wait until it has ended`);
  const id = Bun.randomUUIDv7();
  const abort = new AbortController();
  const run = perform(ctx, job, { id, trigger, actor, signal: abort.signal });
  const done = run.then(
    () => {},
    () => {},
  );
  runs.byJob.set(job.name, { id, abort, done });
  try {
    const ended = await run;
    tallyRun(ctx, job.name, ended);
    return ended;
  } finally {
    runs.byJob.delete(job.name);
  }
}

async function perform(
  ctx: Ctx,
  job: Job,
  {
    id,
    trigger,
    actor,
    signal,
  }: { id: string; trigger: JobRun['trigger']; actor: Actor | null; signal: AbortSignal },
): Promise<JobRun> {
  const startedAt = ctx.now();
  const since = performance.now();
  if (job.quiet === true && trigger === 'schedule') return performQuietly(ctx, job, { id, signal });
  await insertRun(ctx, { id, job: job.name, trigger, startedAt: new Date(startedAt) }, actor);
  const outcome = await attempt(ctx, job, signal);
  const finishedAt = new Date(startedAt + Math.round(performance.now() - since));
  return updateRun(ctx, id, { finishedAt, ...outcome });
}

/** Runs a quiet job: an empty result is not recorded, any other result is recorded at the end. */
async function performQuietly(
  ctx: Ctx,
  job: Job,
  { id, signal }: { id: string; signal: AbortSignal },
): Promise<JobRun> {
  const startedAt = ctx.now();
  const since = performance.now();
  const outcome = await attempt(ctx, job, signal);
  const finishedAt = startedAt + Math.round(performance.now() - since);
  const run = { id, job: job.name, trigger: 'schedule' } as const;
  if (outcome.status === 'ok' && Object.keys(outcome.result).length === 0) {
    const times = { startedAt: formatInstant(startedAt), finishedAt: formatInstant(finishedAt) };
    return { ...run, ...times, ...outcome };
  }
  await insertRun(ctx, { ...run, startedAt: new Date(startedAt) }, null);
  return updateRun(ctx, id, { finishedAt: new Date(finishedAt), ...outcome });
}

type Outcome = { status: 'ok' | 'failed' | 'interrupted'; result: Record<string, unknown> };

async function attempt(ctx: Ctx, job: Job, signal: AbortSignal): Promise<Outcome> {
  try {
    signal.throwIfAborted();
    return { status: 'ok', result: await job.run(ctx, signal) };
  } catch (error) {
    if (signal.aborted) return { status: 'interrupted', result: { error: 'Stopped before it had ended' } };
    ctx.log.error({ err: error, job: job.name }, 'a job failed');
    noteFailure(ctx, job, error);
    return { status: 'failed', result: { error: error instanceof Error ? error.message : String(error) } };
  }
}

function noteFailure(ctx: Ctx, { name }: Job, thrown: unknown): void {
  ctx.use(ownSpans).add({
    kind: 'job',
    name,
    startedAt: ctx.now(),
    ms: 0,
    attributes: {},
    hasFailed: true,
    error: ownError(thrown),
  });
}

/** Marks runs that a dead process left `running` as interrupted. */
export async function closeInterrupted(ctx: Ctx): Promise<void> {
  await closeRuns(
    ctx,
    [...runsOf(ctx).byJob.values()].map(({ id }) => id),
  );
}

/** Signals every run to stop, refuses new runs and waits for the current ones, at most `patienceMs`. */
export async function stopJobs(ctx: Ctx, patienceMs = 5_000): Promise<void> {
  const runs = runsOf(ctx);
  runs.stopped = true;
  const running = [...runs.byJob.values()];
  if (running.length === 0) return;
  for (const { abort } of running) abort.abort();
  const patience = Promise.withResolvers<void>();
  const timer = setTimeout(patience.resolve, patienceMs);
  await Promise.race([Promise.all(running.map(({ done }) => done)), patience.promise]);
  clearTimeout(timer);
}
