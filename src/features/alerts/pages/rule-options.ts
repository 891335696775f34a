import { MEASURES } from '../../../dashboard/shell/metrics/names.ts';
import type { AlertMeasure } from '../contract.ts';
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

/** Measures in the order of the list. */
export const MEASURE_LABELS: Readonly<Record<AlertMeasure, string>> = {
  ...USUAL,
  ...(Object.fromEntries(
    Object.entries(OTHERS).flatMap(([name, { label }]) => (name in USUAL ? [] : [[name, label]])),
  ) as Record<Exclude<AlertMeasure, keyof typeof USUAL>, string>),
};

const DIMENSIONS: Readonly<Record<Exclude<AlertDimension, `tag:${string}`>, string>> = {
  model: 'Each model',
  provider: 'Each provider',
  environment: 'Each environment',
  user: 'Each end user',
  key: 'Each API key',
  agent: 'Each agent',
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
