import type { Ctx } from '../../context.ts';
import { formatInstant } from '../../lib/time.ts';
import type { Job, Module } from '../../module.ts';
import { type JobRun, listLastRuns } from './queries.ts';

/** A job with its last run and its next scheduled time, in ISO 8601. */
export type JobState = {
  readonly name: string;
  readonly summary: string;
  readonly schedule: string;
  readonly lastRun: Pick<JobRun, 'trigger' | 'startedAt' | 'finishedAt' | 'status' | 'result'> | null;
  readonly nextRun: string;
};

/** The jobs of all modules, by name. */
export function jobsOf(modules: readonly Module[]): Job[] {
  return modules.flatMap((module) => module.jobs ?? []).sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Lists the jobs with their last run and their next scheduled time. */
export async function listJobs(ctx: Ctx, jobs: readonly Job[]): Promise<JobState[]> {
  const [runs, nextRunAfter] = await Promise.all([listLastRuns(ctx), loadCalendar()]);
  return jobs.map(({ name, summary, schedule }) => ({
    name,
    summary,
    schedule,
    lastRun: toLastRun(runs.get(name)),
    nextRun: formatInstant(nextRunAfter(schedule, ctx.now())),
  }));
}

function toLastRun(run: JobRun | undefined): JobState['lastRun'] {
  if (run === undefined) return null;
  const { trigger, startedAt, finishedAt, status, result } = run;
  return { trigger, startedAt, finishedAt, status, result };
}

/** The first time after `ms` that a cron schedule names, in UTC epoch milliseconds. */
type NextRunAfter = (schedule: string, ms: number) => number;

/** Imported on demand, because reader processes and the writer thread load this module but never use cron. */
export async function loadCalendar(): Promise<NextRunAfter> {
  const { CronTime } = await import('cron');
  return (schedule, ms) => new CronTime(schedule, 'UTC').getNextDateFrom(new Date(ms), 'UTC').toMillis();
}
