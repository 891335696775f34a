import type { Ctx } from '../../context.ts';
import { AppError } from '../../errors.ts';
import type { Job } from '../../module.ts';
import { loadCalendar } from './list-jobs.ts';
import { listLastEnded } from './queries.ts';
import { closeInterrupted, runJob, stopJobs } from './run-job.ts';

/** Jobs that run by the calendar until `stop`, which also ends runs that were started by hand. */
export type Scheduler = { stop(): Promise<void> };

/** After the start, before missed runs are made up: a server that keeps dying does no heavy work. */
const CATCH_UP_AFTER_MS = 10_000;

/**
 * Closes runs that a dead process left open, runs each job at its times (UTC) and, a little after the
 * start, those whose time passed while nothing ran. A run that would overlap itself is skipped.
 * Rejects when a schedule is not valid.
 */
export async function startScheduler(
  ctx: Ctx,
  jobs: readonly Job[],
  { catchUpAfterMs = CATCH_UP_AFTER_MS }: { catchUpAfterMs?: number } = {},
): Promise<Scheduler> {
  const { CronJob } = await import('cron');
  await closeInterrupted(ctx);
  const timers = jobs.map((job) =>
    CronJob.from({
      name: job.name,
      cronTime: job.schedule,
      timeZone: 'UTC',
      start: true,
      // A busy moment delays a run; it never skips it.
      threshold: Number.POSITIVE_INFINITY,
      onTick: () => runScheduled(ctx, job),
    }),
  );
  const catchUp = setTimeout(() => void runMissed(ctx, jobs), catchUpAfterMs);
  return {
    async stop() {
      clearTimeout(catchUp);
      for (const timer of timers) void timer.stop();
      await stopJobs(ctx);
    },
  };
}

/** Never rejects: a run that can't start is a line in the log. */
async function runScheduled(ctx: Ctx, job: Job): Promise<void> {
  try {
    await runJob(ctx, job, 'schedule');
  } catch (error) {
    if (error instanceof AppError)
      ctx.log.warn({ job: job.name, reason: error.message }, 'a job was skipped');
    else ctx.log.error({ err: error, job: job.name }, 'a job could not be recorded');
  }
}

/** One after the other, the jobs that never ran or whose next time is over. */
async function runMissed(ctx: Ctx, jobs: readonly Job[]): Promise<void> {
  try {
    const [ended, nextRunAfter] = await Promise.all([listLastEnded(ctx), loadCalendar()]);
    for (const job of jobs) {
      const now = ctx.now();
      const last = ended.get(job.name) ?? 0;
      // A run that began in the future tells of a clock that was wrong then, not of a run that was missed.
      if (last <= now && nextRunAfter(job.schedule, last) <= now) await runScheduled(ctx, job);
    }
  } catch (error) {
    ctx.log.error({ err: error }, 'missed jobs could not be found');
  }
}
