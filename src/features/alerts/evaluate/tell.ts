import type { AlertOutcome } from '../../../core/alerts/index.ts';
import { MINUTE_MS } from '../../../lib/time.ts';
import type { AlertState } from '../contract.ts';
import { windowsOf } from '../judge/windows-of.ts';
import type { HistoryRow, RuleInput } from './round.ts';

/** What people were told of a group last, and when, in epoch milliseconds. */
export type Told = { readonly state: AlertState; readonly at: number | null };
export const UNTOLD: Told = { state: 'ok', at: null };

const isFiring = (state: AlertState): boolean => state === 'warning' || state === 'critical';

/** What a state is to somebody who was told of another one; null for nothing. */
export function outcomeOf(told: AlertState, state: AlertState): AlertOutcome | null {
  if (state === told) return null;
  if (state === 'ok' || state === 'pending') return told === 'ok' ? null : 'resolved';
  if (state === 'no_data') return 'no_data';
  if (!isFiring(told)) return 'fired';
  return state === 'critical' ? 'escalated' : 'eased';
}

/** What is told after a round of a group. `rows` are its new changes, in order. */
export type Telling = {
  readonly rows: readonly Omit<HistoryRow, 'notified'>[];
  readonly told: Told;
  readonly state: AlertState;
  readonly silenced: boolean;
  readonly now: number;
  /** The newest figures, for what is told again. */
  readonly last: Omit<HistoryRow, 'notified' | 'from' | 'to'>;
};

export type Tale = {
  readonly history: readonly HistoryRow[];
  readonly told: Told;
  readonly tidings: readonly TaleTidings[];
};
type TaleTidings = {
  readonly outcome: AlertOutcome;
  readonly state: AlertState;
  readonly previous: AlertState;
  readonly row: Telling['last'];
  readonly silenced: boolean;
  readonly again?: true;
};

/**
 * Decides who is told of changes. A silence holds everything back but a resolution of what was told. A state that was
 * not told of is told when the silence ends; one that late events took back is resolved.
 */
export function tell(rule: RuleInput, telling: Telling): Tale {
  const { rows, state, silenced, now, last } = telling;
  let told = telling.told;
  const tidings: TaleTidings[] = [];
  const history = rows.map((row): HistoryRow => {
    const outcome = outcomeOf(told.state, row.to);
    if (outcome === null) return { ...row, notified: 'none' };
    return { ...row, notified: note(outcome, row.to, row) };
  });
  const rest = outcomeOf(told.state, state);
  const isDue =
    rule.rule.renotifyMinutes !== null &&
    !rule.opensIncident &&
    now - (told.at ?? now) >= rule.rule.renotifyMinutes * MINUTE_MS;
  if (rest !== null && !(silenced && rest !== 'resolved')) note(rest, state, last);
  else if (rest === null && isFiring(state) && isDue && !silenced) note('fired', state, last, true);
  return { history, told, tidings };

  function note(
    outcome: AlertOutcome,
    to: AlertState,
    row: Telling['last'],
    again?: true,
  ): HistoryRow['notified'] {
    const isHeld = silenced && outcome !== 'resolved';
    const next = to === 'pending' ? 'ok' : to;
    // An incident is also told what a silence holds back: it notifies nobody of it.
    if (!isHeld || rule.opensIncident)
      tidings.push({
        outcome,
        state: next,
        previous: told.state,
        row,
        silenced: isHeld,
        ...(again === true ? { again } : {}),
      });
    if (isHeld && !rule.opensIncident) return 'silenced';
    told = { state: next, at: now };
    if (isHeld) return 'silenced';
    if (rule.opensIncident) return 'incident';
    return rule.notifies && outcome !== 'eased' ? 'sent' : 'none';
  }
}

/** The window of a rule that ends at a minute, in epoch milliseconds. */
export function windowMs(
  rule: RuleInput,
  at: number,
): { readonly windowStart: number; readonly windowEnd: number } {
  const { current } = windowsOf(rule.rule, at);
  return { windowStart: current.from * MINUTE_MS, windowEnd: at * MINUTE_MS };
}
