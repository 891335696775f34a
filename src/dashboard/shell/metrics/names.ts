import type { EventMeasure } from '../../../core/events/query/contract.ts';
import { isScoreMeasure, parseScoreMeasure } from '../../../lib/scores/score-measures.ts';
import type { FigureKind } from '../../ui/format.ts';

type Measure = { readonly label: string; readonly kind: FigureKind; readonly rising?: 'good' | 'bad' };

const time = (label: string): Measure => ({ label, kind: 'duration', rising: 'bad' });

/** What measures are called, how they are written, and what a rise means. */
export const MEASURES: Readonly<Record<EventMeasure, Measure>> = {
  cost: { label: 'Cost', kind: 'money', rising: 'bad' },
  costAvg: { label: 'Cost per call', kind: 'money', rising: 'bad' },
  requests: { label: 'Calls', kind: 'count' },
  throughput: { label: 'Calls per minute', kind: 'count' },
  successes: { label: 'Successful calls', kind: 'count' },
  errors: { label: 'Failed calls', kind: 'count', rising: 'bad' },
  errorRate: { label: 'Error rate', kind: 'fraction', rising: 'bad' },
  timeouts: { label: 'Timeouts', kind: 'count', rising: 'bad' },
  timeoutRate: { label: 'Timeout rate', kind: 'fraction', rising: 'bad' },
  rateLimited: { label: 'Rate-limited calls', kind: 'count', rising: 'bad' },
  rateLimitedRate: { label: 'Rate-limited share', kind: 'fraction', rising: 'bad' },
  cancelled: { label: 'Cancelled calls', kind: 'count' },
  unpriced: { label: 'Unpriced calls', kind: 'count', rising: 'bad' },
  unpricedInputTokens: { label: 'Unpriced input tokens', kind: 'count', rising: 'bad' },
  unpricedOutputTokens: { label: 'Unpriced output tokens', kind: 'count', rising: 'bad' },
  tokens: { label: 'Tokens', kind: 'count' },
  inputTokens: { label: 'Input tokens', kind: 'count' },
  inputTokensAvg: { label: 'Input tokens per call', kind: 'count' },
  freshTokens: { label: 'Uncached input tokens', kind: 'count' },
  cacheReadTokens: { label: 'Cached input tokens', kind: 'count', rising: 'good' },
  cacheWriteTokens: { label: 'Cache write tokens', kind: 'count' },
  cacheRate: { label: 'Cache rate', kind: 'fraction', rising: 'good' },
  outputTokens: { label: 'Output tokens', kind: 'count' },
  outputTokensAvg: { label: 'Output tokens per call', kind: 'count' },
  reasoningTokens: { label: 'Reasoning tokens', kind: 'count' },
  tokensPerSec: { label: 'Output tokens per second', kind: 'count', rising: 'good' },
  latencyCount: { label: 'Calls with a latency', kind: 'count' },
  latencyAvg: time('Average latency'),
  latencyP50: time('Median latency'),
  latencyP90: time('p90 latency'),
  latencyP95: time('p95 latency'),
  latencyP99: time('p99 latency'),
  ttftAvg: time('Average time to first token'),
  ttftP50: time('Median time to first token'),
  ttftP90: time('p90 time to first token'),
  ttftP95: time('p95 time to first token'),
  ttftP99: time('p99 time to first token'),
  guardrailChecks: { label: 'Guardrail checks', kind: 'count' },
  guardrailFlags: { label: 'Flagged texts', kind: 'count', rising: 'bad' },
  guardrailRedactions: { label: 'Redacted texts', kind: 'count', rising: 'bad' },
  guardrailBlocks: { label: 'Blocked texts', kind: 'count', rising: 'bad' },
  guardrailBlockRate: { label: 'Blocked share of checks', kind: 'fraction', rising: 'bad' },
  runs: { label: 'Runs', kind: 'count' },
  failedRuns: { label: 'Failed runs', kind: 'count', rising: 'bad' },
  runErrorRate: { label: 'Failed share of runs', kind: 'fraction', rising: 'bad' },
  runCost: { label: 'Cost of runs', kind: 'money', rising: 'bad' },
  runCostAvg: { label: 'Cost per run', kind: 'money', rising: 'bad' },
  runCostP50: { label: 'Median cost of a run', kind: 'money', rising: 'bad' },
  runCostP95: { label: 'p95 cost of a run', kind: 'money', rising: 'bad' },
  runCostPerSuccess: { label: 'Cost per successful run', kind: 'money', rising: 'bad' },
  runLatencyAvg: time('Average latency of a run'),
  runLatencyP95: time('p95 latency of a run'),
};

/** The same of any measure, also of scores: `score:NAME`, `score:NAME=CATEGORY`, and `scoreCount:…` for their number. */
export function measureOf(name: string): Measure {
  const known = Object.hasOwn(MEASURES, name) ? MEASURES[name as EventMeasure] : undefined;
  if (known !== undefined) return known;
  if (!isScoreMeasure(name)) return { label: name, kind: 'count' };
  const { isCount, name: score, category } = parseScoreMeasure(name);
  const label = category === null ? score : `${score}: ${category}`;
  if (isCount) return { label: `${label} (scores)`, kind: 'count' };
  return { label, kind: category === null ? 'count' : 'fraction' };
}

export const measureLabel = (name: string): string => measureOf(name).label;
