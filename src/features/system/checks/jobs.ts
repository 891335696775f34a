import type { Ctx } from '../../../context.ts';
import {
  type JobState,
  type JobTally,
  jobTallies,
  listJobs,
  loadCalendar,
} from '../../../core/jobs/index.ts';
import { countText } from '../../../lib/figures.ts';
import { DAY_MS, MINUTE_MS } from '../../../lib/time.ts';
import type { Job } from '../../../module.ts';
import type { Finding } from '../contract.ts';
import { bad, ok, warn } from './findings.ts';

/** Whether a server examines itself, and since when it runs, in epoch milliseconds; null for a stopped one. */
export type Running = { readonly since: number } | null;

/** A run may begin late, behind others. */
const GRACE_MS = 15 * MINUTE_MS;

/** Jobs that failed, and in a running server those that did not run when they should have. */
export async function checkJobs(ctx: Ctx, jobs: readonly Job[], running: Running): Promise<Finding[]> {
  const [states, nextRunAfter] = await Promise.all([listJobs(ctx, jobs), loadCalendar()]);
  const tallies = jobTallies(ctx);
  const quiet = new Set(jobs.filter((job) => job.quiet === true).map(({ name }) => name));
  const found = states.flatMap((state): Finding[] => {
    const tally = tallies.get(state.name);
    const failure = failureOf(state, tally, quiet.has(state.name));
    if (failure !== null)
      return [
        bad(
          'jobs',
          `${state.name} failed: ${failure}`,
          `Mend that, then run \`spanledger jobs run ${state.name}\``,
        ),
      ];
    if (running === null) return [];
    const lastRun = Date.parse(state.lastRun?.startedAt ?? '') || 0;
    const last = Math.max(running.since, lastRun, tally?.last.startedAt ?? 0);
    if (nextRunAfter(state.schedule, last) + GRACE_MS > ctx.now()) return [];
    const fix = 'Look into the log for what holds it up, or restart the server';
    return [warn('jobs', `${state.name} did not run when it should have (${state.schedule})`, fix)];
  });
  return found.length > 0 ? found : [ok('jobs', `${countText(jobs.length, 'job')}: none failed`)];
}

/** Why the last run failed; null if it did not. Quiet runs are recorded only if there is something to tell. */
function failureOf({ lastRun }: JobState, tally: JobTally | undefined, isQuiet: boolean): string | null {
  if (tally !== undefined && tally.last.status !== 'failed') return null;
  if (lastRun?.status !== 'failed' || (isQuiet && tally === undefined)) return null;
  const { error } = lastRun.result as { error?: string };
  return (error ?? 'no reason was recorded').replace(/\s+/g, ' ').slice(0, 300);
}

const EARLIEST = Date.UTC(2026, 0, 1);

/** A clock that was set back repeats hours: events, quotas and sessions would be dated wrongly. */
export async function checkClock(ctx: Ctx, jobs: readonly Job[]): Promise<Finding> {
  const now = ctx.now();
  const fix = 'Set the clock, and let it follow a time server (`timedatectl set-ntp true`)';
  const time = new Date(now).toISOString();
  const states = await listJobs(ctx, jobs);
  const latest = Math.max(...states.map(({ lastRun }) => Date.parse(lastRun?.startedAt ?? '') || 0));
  if (now < EARLIEST) return bad('clock', `The clock says ${time}`, fix);
  if (latest > now + MINUTE_MS)
    return bad('clock', `The clock says ${time}, but a job ran at ${new Date(latest).toISOString()}`, fix);
  return ok('clock', `The clock says ${time}${now - latest < DAY_MS ? ', after the last job' : ''}`);
}
