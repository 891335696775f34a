import { countText } from '../../src/lib/figures.ts';
import type { MoveProgress, MoveResult } from '../../src/move.ts';
import type { BaseContext } from '../command.ts';

export function printMoved({ output }: BaseContext, { state, events }: MoveResult): void {
  if (state === 'copied')
    output.line(
      `Copied ${countText(events, 'event')}. The server is still running: run this again to finish.`,
    );
  else
    output.success(
      `Moved ${countText(events, 'event')}; both places have the same sums per project, day and model`,
    );
}

/** Events a second, for an estimate before anything was copied. */
const LIKELY_RATE = 8_000;

type Plan = Awaited<ReturnType<typeof import('../../src/move.ts')['planMove']>>;

export function printPlan({ output }: BaseContext, plan: Plan, to: string): void {
  output.line(
    `${countText(plan.events, 'event')} of ${countText(plan.projects, 'project')} on ${countText(plan.days, 'day')}`,
  );
  if (plan.cutDays > 0)
    output.line(
      `${countText(plan.cutDays, 'day')} with calls whose events are deleted: their figures by hour, model, environment, status and error move; those by user, tag, key, agent and tool do not`,
    );
  const targets = {
    empty: 'is empty',
    begun: 'has a part of them: the move goes on',
    done: 'has them: the move is done',
  };
  output.line(`${to} ${targets[plan.target]}`);
  if (plan.target !== 'done')
    output.line(`It takes about ${estimateText(plan.events)}, depending on both machines`);
  output.info(whoWrites(plan.isServed));
}

export const whoWrites = (isServed: boolean): string =>
  isServed
    ? 'A server is running. It may go on until the move has caught up; then it is stopped for the last step'
    : 'No server is running: everything is moved in one go';

const durationText = (seconds: number): string =>
  seconds < 90 ? `${Math.max(1, Math.ceil(seconds))} s` : `${Math.ceil(seconds / 60)} min`;

/** Time between two lines of progress. */
const REPORT_MS = 2_000;

export function reportMove({ output }: BaseContext): (progress: MoveProgress) => void {
  const began = performance.now();
  let reported = began;
  const number = (value: number): string => value.toLocaleString('en-US');
  return (progress) => {
    if (progress.step === 'copy') {
      const now = performance.now();
      if (now - reported < REPORT_MS || progress.events === 0) return;
      reported = now;
      const left = ((now - began) / 1_000 / progress.events) * (progress.of - progress.events);
      output.info(
        `Copied ${number(progress.events)} of ${number(progress.of)} events, about ${durationText(left)} left`,
      );
      return;
    }
    if (progress.step === 'compare')
      return output.info(`Comparing the sums of ${countText(progress.projects, 'project')}`);
    if (progress.blockedBy !== null)
      return output.info(
        `Caught up. ${progress.blockedBy} is not finished: let the server finish it, then stop the server`,
      );
    output.info(
      `Caught up; the last copy took ${durationText(progress.ms / 1_000)}. Stop the server now: this command notices, copies the rest and compares the sums`,
    );
  };
}

/** How long it takes to move so many events. */
export const estimateText = (events: number): string => durationText(events / LIKELY_RATE);
