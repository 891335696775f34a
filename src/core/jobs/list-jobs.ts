import type { Ctx } from '../../context.ts';
import { formatInstant } from '../../lib/time.ts';
import type { Job, Module } from '../../module.ts';
import { type JobRun, listLastRuns } from './queries.ts';

/** A job with its last run and the next one of the calendar, in ISO 8601. */
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

/** What runs by the calendar, how it went and when it comes again. Only reads. */
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

/** Gives, for cron fields and a time, the first time after it that the fields name in UTC: epoch milliseconds. */
type NextRunAfter = (schedule: string, ms: number) => number;

/** Loaded when needed: the processes that only read or write have this module too, but no calendar. */
export async function loadCalendar(): Promise<NextRunAfter> {
  const { CronTime } = await import('cron');
  return (schedule, ms) => new CronTime(schedule, 'UTC').getNextDateFrom(new Date(ms), 'UTC').toMillis();
}
