import { durationText, moneyText, numberText } from '../../../lib/figures.ts';
import { measureWords } from '../../../lib/scores/measure-words.ts';
import type { AlertInput, AlertMeasure } from '../contract.ts';
import { measureUnit } from './measure-words.ts';

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
