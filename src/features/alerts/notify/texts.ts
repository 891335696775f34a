import { markOf, unpricedText } from '../../../lib/billing/cost-mark.ts';
import { countText, durationText, moneyText, numberText } from '../../../lib/figures.ts';
import { measureWords } from '../../../lib/scores/measure-words.ts';
import { isScoreMeasure } from '../../../lib/scores/score-measures.ts';
import type { AlertInput, AlertMeasure, Priced } from '../contract.ts';
import { isOfRuns, measureUnit } from './measure-words.ts';

/** Labels that say more than the name of the measure. */
const LABELS: Partial<Readonly<Record<AlertMeasure, string>>> = {
  errorRate: 'Error rate',
  errors: 'Errors',
  cost: 'Cost',
  latencyAvg: 'Average latency',
  latencyP50: 'Latency p50',
  latencyP90: 'Latency p90',
  latencyP95: 'Latency p95',
  latencyP99: 'Latency p99',
  ttftP95: 'Time to first token p95',
  requests: 'Requests',
  timeoutRate: 'Timeout rate',
  rateLimited: 'Rate-limited calls',
  inputTokens: 'Input tokens',
  outputTokens: 'Output tokens',
  cacheRate: 'Cache rate',
  unpriced: 'Calls without a price',
  runErrorRate: 'Failed run rate',
  runCostAvg: 'Cost per run',
};

/** A measure as people read it, such as `Error rate`. */
export function measureLabel(measure: AlertMeasure): string {
  const words = measureWords(measure);
  return LABELS[measure] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

const number = (value: number): string => numberText(Math.round(value * 100) / 100);

/** A value of a measure with its unit. */
export function figureText(measure: AlertMeasure, value: number): string {
  const unit = measureUnit(measure);
  if (unit === 'USD') return moneyText(value);
  if (unit === 'fraction') return `${number(value * 100)}%`;
  return unit === 'ms' ? durationText(value) : number(value);
}

/** What is counted beside a measure. */
export const countedOf = (measure: AlertMeasure): 'scores' | 'runs' | 'calls' =>
  isScoreMeasure(measure) ? 'scores' : isOfRuns(measure) ? 'runs' : 'calls';

/** A value with how much of it is known: a cost leaves out calls without a price. */
export type Valued = Priced & { readonly value: number | null };

/** `3 of 40 calls unpriced`, `3 of 8 runs with unpriced calls`; null where no call is left out. */
export const leftOutText = (measure: AlertMeasure, { unpriced, calls }: Priced): string | null =>
  unpriced === null || calls === null || unpriced === 0
    ? null
    : isOfRuns(measure)
      ? `${numberText(unpriced)} of ${countText(calls, 'run')} with unpriced calls`
      : unpricedText({ unpriced, calls });

type Judged = Priced & Pick<AlertInput, 'measure'> & { readonly groupBy?: AlertInput['groupBy'] | undefined };

/** What the costs that an alert judges leave out: `3 of 40 calls unpriced`, `2 groups with unpriced calls`; null for nothing. */
export function alertLeftOutText(
  alert: Judged & { readonly groups: { readonly unpriced: number } },
): string | null {
  const { measure, groupBy = null, groups } = alert;
  if (groups.unpriced === 0) return null;
  const byGroup = `${countText(groups.unpriced, 'group')} with unpriced calls`;
  return groupBy === null ? leftOutText(measure, alert) : byGroup;
}

/** A value as a sentence says it: `at least $3.20 (3 of 40 calls unpriced)`; null without one. */
export function valueText(measure: AlertMeasure, valued: Valued): string | null {
  const { value, unpriced } = valued;
  const mark = markOf(measure, value, unpriced);
  const text = mark === 'unpriced' ? 'unknown' : value === null ? null : figureText(measure, value);
  if (text === null) return null;
  const leftOut = leftOutText(measure, valued);
  return `${mark === 'minimum' ? 'at least ' : ''}${text}${leftOut === null ? '' : ` (${leftOut})`}`;
}

const SIGNS = { gt: '>', gte: '≥', lt: '<', lte: '≤' } as const;
const COMPARED = {
  previous: 'the window before',
  sameTimeYesterday: 'the same time yesterday',
  sameTimeLastWeek: 'the same time last week',
} as const;

/** What a rule says, in one line: `Error rate > 5% over 15m`. */
export function ruleText({
  measure,
  condition,
  window,
}: Pick<AlertInput, 'measure' | 'condition' | 'window'>): string {
  const label = measureLabel(measure);
  if (condition.kind === 'threshold')
    return `${label} ${SIGNS[condition.operator]} ${figureText(measure, condition.critical)} over ${window}`;
  if (condition.kind === 'anomaly')
    return `${label} over ${window} is unusual (${condition.sensitivity} sensitivity)`;
  const way = { up: 'up', down: 'down', either: 'up or down' }[condition.direction];
  return `${label} over ${window} ${way} ${number(condition.percent)}% against ${COMPARED[condition.compare]}`;
}
