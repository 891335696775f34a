import type { Ctx } from '../../context.ts';
import { AppError } from '../../errors.ts';
import type { Job } from '../../module.ts';
import { loadCalendar } from './list-jobs.ts';
import { listLastEnded } from './queries.ts';
import { closeInterrupted, runJob, stopJobs } from './run-job.ts';

/** The scheduler. `stop` also stops runs that were started by hand. */
export type Scheduler = { stop(): Promise<void> };

type Stoppable = { stop(): unknown };

/** Delay before missed runs are made up, so that a server in a crash loop does no heavy work. */
const CATCH_UP_AFTER_MS = 10_000;

/**
 * Closes runs that a dead process left open, runs each job on schedule (UTC), and shortly after the start makes up
 * missed runs. A run that would overlap the previous run of its job is skipped. Rejects if a schedule is invalid.
 */
export async function startScheduler(
  ctx: Ctx,
  jobs: readonly Job[],
  { catchUpAfterMs = CATCH_UP_AFTER_MS }: { catchUpAfterMs?: number } = {},
): Promise<Scheduler> {
  const { CronJob } = await import('cron');
  try {
    await closeInterrupted(ctx);
  } catch (error) {
    // A server starts on a full disk. The next run of each job closes what this did not.
    ctx.log.warn({ err: error }, 'runs that a dead process left open could not be closed');
  }
  const start = (job: Job): Stoppable =>
    CronJob.from({
      name: job.name,
      cronTime: job.schedule,
      timeZone: 'UTC',
      start: true,
      // A blocked event loop delays a run but never skips it.
      threshold: Number.POSITIVE_INFINITY,
      onTick: () => runScheduled(ctx, job),
    });
  const timers: Stoppable[] = [];
  for (const job of jobs) {
    timers.push(start(job));
    // Finding the next times of all jobs takes a fifth of the start; the server answers meanwhile.
    await Bun.sleep(0);
  }
  const catchUp = setTimeout(() => void runMissed(ctx, jobs), catchUpAfterMs);
  return {
    async stop() {
      clearTimeout(catchUp);
      for (const timer of timers) void timer.stop();
      await stopJobs(ctx);
    },
  };
}

/** Never rejects; a run that cannot start is logged. */
async function runScheduled(ctx: Ctx, job: Job): Promise<void> {
  try {
    await runJob(ctx, job, 'schedule');
  } catch (error) {
    if (error instanceof AppError)
      ctx.log.warn({ job: job.name, reason: error.message }, 'a job was skipped');
    else ctx.log.error({ err: error, job: job.name }, 'a job could not be recorded');
  }
}

/** Runs jobs sequentially that never ran or missed a scheduled time. */
async function runMissed(ctx: Ctx, jobs: readonly Job[]): Promise<void> {
  try {
    const [ended, nextRunAfter] = await Promise.all([listLastEnded(ctx), loadCalendar()]);
    for (const job of jobs) {
      const now = ctx.now();
      const last = ended.get(job.name) ?? 0;
      // A last run in the future means that the clock was wrong, not that a run was missed.
      if (last <= now && nextRunAfter(job.schedule, last) <= now) await runScheduled(ctx, job);
    }
  } catch (error) {
    ctx.log.error({ err: error }, 'missed jobs could not be determined');
  }
}
