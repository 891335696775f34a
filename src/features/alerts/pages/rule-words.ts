import { numberText } from '../../../lib/figures.ts';
import { measureWords } from '../../../lib/scores/measure-words.ts';
import { isScoreMeasure } from '../../../lib/scores/score-measures.ts';
import type { AlertDraft, AlertMeasure } from '../contract.ts';
import { isOfRuns } from '../notify/measure-words.ts';
import { figureText } from '../notify/texts.ts';

export type AlertDimension = NonNullable<AlertDraft['groupBy']>;
export type AlertWindow = AlertDraft['window'];
export type AlertCondition = AlertDraft['condition'];

/** Measures as they stand in a sentence. */
const NOUNS: Partial<Readonly<Record<AlertMeasure, string>>> = {
  errorRate: 'the error rate',
  errors: 'the number of failed calls',
  cost: 'the cost',
  latencyAvg: 'the average latency',
  latencyP50: 'the median latency',
  latencyP90: 'the p90 latency',
  latencyP95: 'the p95 latency',
  latencyP99: 'the p99 latency',
  ttftP95: 'the p95 time to the first token',
  requests: 'the number of calls',
  timeoutRate: 'the timeout rate',
  rateLimited: 'the number of rate-limited calls',
  inputTokens: 'the number of input tokens',
  outputTokens: 'the number of output tokens',
  cacheRate: 'the cache rate',
  unpriced: 'the number of calls without a price',
  runs: 'the number of runs',
  failedRuns: 'the number of failed runs',
  runErrorRate: 'the rate of failed runs',
  runCostAvg: 'the average cost of a run',
  runCostP50: 'the median cost of a run',
  runCostP95: 'the p95 cost of a run',
};

/** Windows as they stand after "over". */
export const WINDOW_TEXT: Readonly<Record<AlertWindow, string>> = {
  '5m': '5 minutes',
  '10m': '10 minutes',
  '15m': '15 minutes',
  '30m': '30 minutes',
  '1h': '1 hour',
  '2h': '2 hours',
  '4h': '4 hours',
  '1d': '1 day',
  '7d': '7 days',
};

const BOUNDS = { gt: 'above', gte: 'at or above', lt: 'below', lte: 'at or below' } as const;
const MOVES = { up: 'rises', down: 'falls', either: 'changes' } as const;
export const COMPARED_TEXT = {
  previous: 'the window before',
  sameTimeYesterday: 'the same time yesterday',
  sameTimeLastWeek: 'the same time last week',
} as const;

/** The parts of a rule that say when it fires. */
type Watched = Pick<
  AlertDraft,
  'measure' | 'groupBy' | 'filters' | 'window' | 'condition' | 'forMinutes' | 'minRequests'
>;

/** A measure as it stands in a sentence. */
export const nounOf = (measure: AlertMeasure): string => NOUNS[measure] ?? `the ${measureWords(measure)}`;

/**
 * A rule in one plain sentence.
 * @example sentenceOf(rule) // 'Fires when the error rate of any model over 5 minutes is above 5%.'
 */
export function sentenceOf(rule: Watched): string {
  const { measure, groupBy, filters = {}, window, forMinutes = 0, minRequests = 0 } = rule;
  const { environment, filter, ...others } = filters;
  const subject = [
    nounOf(measure),
    groupBy == null ? '' : `of any ${dimensionText(groupBy)}`,
    environment === undefined ? '' : `in ${environment}`,
    ...Object.entries(others).map(([name, value]) => (value === undefined ? '' : `with ${name} ${value}`)),
    filter === undefined || filter === '' ? '' : `of calls that match ${filter}`,
  ];
  const holds = forMinutes > 0 ? ` for ${minutesText(forMinutes)}` : '';
  const least =
    minRequests > 0
      ? `, with at least ${numberText(minRequests)} ${isScoreMeasure(measure) ? 'scores' : isOfRuns(measure) ? 'runs' : 'calls'}`
      : '';
  const said = subject.filter((part) => part !== '').join(' ');
  return `Fires when ${said} over ${WINDOW_TEXT[window]} ${conditionText(rule)}${holds}${least}.${warningText(rule)}`;
}

/** A dimension as it stands after "any". */
export const dimensionText = (dimension: AlertDimension): string =>
  dimension.startsWith('tag:') ? `value of tag ${dimension.slice(4)}` : dimension;

/** Minutes in the largest unit that divides them: `10 minutes`, `1 hour`, `2 days`. */
export function minutesText(minutes: number): string {
  const [size, unit] =
    minutes % 1_440 === 0 ? [1_440, 'day'] : minutes % 60 === 0 ? [60, 'hour'] : [1, 'minute'];
  const count = minutes / Number(size);
  return `${numberText(count)} ${unit}${count === 1 ? '' : 's'}`;
}

function conditionText({ measure, condition }: Watched): string {
  if (condition.kind === 'threshold')
    return `is ${BOUNDS[condition.operator]} ${figureText(measure, condition.critical)}`;
  if (condition.kind === 'change')
    return `${MOVES[condition.direction]} by ${numberText(condition.percent)}% or more against ${COMPARED_TEXT[condition.compare]}`;
  return `is unusual for the hour of the week (${condition.sensitivity} sensitivity)`;
}

function warningText({ measure, condition }: Watched): string {
  if (condition.kind !== 'threshold' || condition.warning === undefined) return '';
  return ` Warns ${BOUNDS[condition.operator]} ${figureText(measure, condition.warning)}.`;
}
