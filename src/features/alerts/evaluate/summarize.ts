import type { AlertState } from '../contract.ts';
import type { Found, Judgement } from '../judge/evaluator.ts';
import { NO_COST, type Reading } from '../judge/reading.ts';
import { type GroupCounts, TREND_STEP, type Trend } from '../table.ts';
import type { LiveRule } from './live-rule.ts';
import type { GroupFigures, Summary } from './round.ts';

/** Values of a trend: those of a day. */
const TREND_LENGTH = 96;
/** Groups that are not ok whose figures are written in a round, so that a round stays short however many fire. */
const MOST_GROUPS = 40;

const RANKS: Readonly<Record<AlertState, number>> = {
  critical: 4,
  warning: 3,
  no_data: 2,
  pending: 1,
  ok: 0,
};

/**
 * Keeps the figure of an alert after a minute.
 * @returns its row if that says something else now, or the trend gets a value; null otherwise
 */
export function summarize(rule: LiveRule, { found, total, left }: Judgement, at: number): Summary | null {
  const worst = worstOf(rule, found);
  const value = worst?.reading.value ?? null;
  const { unpriced, calls } = worst?.reading ?? NO_COST;
  rule.figure = [value, rule.rule.groupBy === null ? null : (worst?.group ?? null), unpriced, calls];
  const counts = { ok: 0, pending: 0, warning: 0, critical: 0, no_data: 0 };
  for (const one of found) counts[one.state]++;
  const groups: GroupCounts = {
    critical: counts.critical,
    warning: counts.warning,
    pending: counts.pending,
    noData: counts.no_data,
    total: rule.rule.groupBy === null ? 1 : total,
    left,
    unpriced: found.filter(({ reading }) => (reading.unpriced ?? 0) > 0).length,
  };
  const { written } = rule;
  const state = worst?.state ?? 'ok';
  const isDue = written === null || at >= (written.trend?.at ?? 0) + TREND_STEP;
  if (!isDue && state === written.state && JSON.stringify(groups) === JSON.stringify(written.groups))
    return null;
  const trend = isDue ? extend(written?.trend ?? null, { at: slotOf(rule.id, at), value }) : written.trend;
  rule.written = { state, groups, trend };
  return { alertId: rule.id, version: rule.input.version, ...rule.written };
}

/** The newest minute at which an alert adds to its trend. It differs by alert, so that not all rows are written at once. */
function slotOf(id: string, at: number): number {
  const phase = (Number.parseInt(id.slice(-4), 16) || 0) % TREND_STEP;
  return at - ((at + phase) % TREND_STEP);
}

/** A trend with one more value, and nulls for the steps that nothing was judged in. */
function extend(trend: Trend | null, { at, value }: { at: number; value: number | null }): Trend {
  const gap = trend === null ? 0 : Math.max(0, Math.min(TREND_LENGTH, (at - trend.at) / TREND_STEP - 1));
  const missed = Array.from({ length: Math.round(gap) }, () => null);
  return { at, values: [...(trend?.values ?? []), ...missed, value].slice(-TREND_LENGTH) };
}

/** The worst group, and of equal ones the one whose value is the farthest out. */
function worstOf({ rule: { condition } }: LiveRule, found: readonly Found[]): Found | undefined {
  const isLow = condition.kind === 'threshold' && condition.operator.startsWith('l');
  const worse = (a: Found, b: Found): Found => {
    if (RANKS[a.state] !== RANKS[b.state]) return RANKS[a.state] > RANKS[b.state] ? a : b;
    const [x, y] = [a.reading.value, b.reading.value];
    if (x === null || y === null) return y === null ? a : b;
    return (isLow ? x <= y : x >= y) ? a : b;
  };
  return found.length === 0 ? undefined : found.reduce(worse);
}

const figuresOf = (
  id: string,
  group: string,
  { value, threshold, baseline, unpriced, calls, reason }: Reading,
): GroupFigures => [id, group, value, threshold, baseline, unpriced, calls, reason];

/** Figures of groups that are not ok: of all, or of as many as a round may write, others in each round. */
export function someGroups(last: ReadonlyMap<LiveRule, Judgement>, at: number): GroupFigures[] {
  const all: GroupFigures[] = [];
  for (const [rule, { found }] of last)
    for (const { group, state, reading } of found)
      if (state !== 'ok') all.push(figuresOf(rule.id, group, reading));
  if (all.length <= MOST_GROUPS) return all;
  const start = (at * MOST_GROUPS) % all.length;
  return [
    ...all.slice(start, start + MOST_GROUPS),
    ...all.slice(0, Math.max(0, start + MOST_GROUPS - all.length)),
  ];
}
