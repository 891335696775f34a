import type { EventMeasure } from '../../../core/events/query/contract.ts';
import { MEASURES } from '../../../dashboard/shell/metrics/names.ts';
import { isScoreMeasure, type ScoreMeasure } from '../../../lib/scores/score-measures.ts';
import type { AlertMeasure } from '../contract.ts';
import { isOfRuns } from '../notify/measure-words.ts';
import { measureLabel } from '../notify/texts.ts';
import type { AlertDimension } from './rule-words.ts';

/** The measures that most rules watch, at the top of the list. */
const USUAL = {
  errorRate: 'Error rate',
  errors: 'Failed calls',
  timeoutRate: 'Timeout rate',
  rateLimited: 'Rate-limited calls',
  cost: 'Cost',
  unpriced: 'Calls without a price',
  latencyAvg: 'Average latency',
  latencyP50: 'Median latency',
  latencyP90: 'p90 latency',
  latencyP95: 'p95 latency',
  latencyP99: 'p99 latency',
  ttftP95: 'p95 time to first token',
  requests: 'Calls',
  inputTokens: 'Input tokens',
  outputTokens: 'Output tokens',
  cacheRate: 'Cache rate',
} as const;

const { throughput: _, ...OTHERS } = MEASURES;

/** Measures of calls, and behind them those of runs, in the order of the list. */
const EVENT_LABELS: Readonly<Record<Exclude<EventMeasure, 'throughput'>, string>> = {
  ...USUAL,
  ...(Object.fromEntries(
    Object.entries(OTHERS).flatMap(([name, { label }]) => (name in USUAL ? [] : [[name, label]])),
  ) as Record<Exclude<EventMeasure, keyof typeof USUAL | 'throughput'>, string>),
};

export const isMeasure = (name: string): name is AlertMeasure =>
  isScoreMeasure(name) || Object.hasOwn(EVENT_LABELS, name);

/** What a measure is called in the list. */
export const measureOption = (measure: AlertMeasure): string =>
  isScoreMeasure(measure) ? measureLabel(measure) : EVENT_LABELS[measure];

type Option = { readonly value: string; readonly label: string };

/** The measures to choose from: those of calls, of agents' runs, and of the scores of a project. @param own the measure that is chosen */
export function measureOptions(
  scores: readonly ScoreMeasure[],
  own: AlertMeasure,
): { readonly group: string; readonly items: Option[] }[] {
  const events = Object.entries(EVENT_LABELS).map(([value, label]) => ({ value, label }));
  const [calls, runs] = [false, true].map((ofRuns) =>
    events.filter(({ value }) => isOfRuns(value) === ofRuns),
  );
  const all = new Set([...scores, ...(isScoreMeasure(own) ? [own] : [])]);
  const items = [...all].map((value) => ({ value, label: measureOption(value) }));
  return [
    { group: 'Calls', items: calls ?? [] },
    { group: 'Runs of agents', items: runs ?? [] },
    ...(items.length === 0 ? [] : [{ group: 'Scores', items }]),
  ];
}

const DIMENSIONS: Readonly<Record<Exclude<AlertDimension, `tag:${string}`>, string>> = {
  model: 'Each model',
  provider: 'Each provider',
  environment: 'Each environment',
  user: 'Each end user',
  key: 'Each API key',
  agent: 'Each agent',
  tool: 'Each tool',
  release: 'Each release',
};

/** What a rule is judged for, one by one. */
export const GROUP_LABELS: Readonly<Record<string, string>> = {
  '': 'All calls together',
  ...DIMENSIONS,
  tag: 'Each value of a tag',
};

export const OPERATOR_LABELS = { gt: 'above', gte: 'at or above', lt: 'below', lte: 'at or below' } as const;
export const DIRECTION_LABELS = { up: 'rises', down: 'falls', either: 'rises or falls' } as const;
export const SENSITIVITY_LABELS = {
  low: 'Low: only large deviations',
  medium: 'Medium',
  high: 'High: also small deviations',
} as const;
export const NO_DATA_LABELS = {
  ignore: 'Keep the state; counts are 0',
  notify: 'Notify that there is no data',
  ok: 'Treat as OK',
} as const;
export const KIND_LABELS = { threshold: 'Threshold', change: 'Change', anomaly: 'Anomaly' } as const;
