import type { AlertState } from '../contract.ts';
import type { Rule, Step } from '../table.ts';
import type { Level } from './reading.ts';

/** The state of a group that nothing is known of. */
export const FIRST: Step = { at: 0, state: 'ok' };

const isFiring = (state: AlertState): boolean => state === 'warning' || state === 'critical';

/**
 * The state of a group after a minute: the only place that decides it, for running alerts and previews alike.
 * @param was its state before, and since when, in minutes
 * @param level what the window that ends at the minute says
 * @param at the minute
 */
export function judge(
  { forMinutes }: Pick<Rule, 'forMinutes'>,
  was: Step,
  level: Level,
  at: number,
): AlertState {
  if (level === 'keep') return was.state === 'pending' ? 'ok' : was.state;
  if (level === 'ok' || level === 'no_data') return level;
  // A group that fires changes its severity at once.
  if (isFiring(was.state) || forMinutes === 0) return level;
  if (was.state !== 'pending') return 'pending';
  return at - was.at >= forMinutes ? level : 'pending';
}
