import type { FigureKind } from '../../../dashboard/ui/format.ts';
import type { TileDimension, TileKind, TileMeasure } from './contract.ts';

type Measure = { readonly label: string; readonly kind: FigureKind; readonly rising?: 'good' | 'bad' };

/** What measures are called, their unit, and what a rise means. */
export const MEASURES: Readonly<Record<TileMeasure, Measure>> = {
  requests: { label: 'Calls', kind: 'count' },
  cost: { label: 'Cost', kind: 'money', rising: 'bad' },
  errors: { label: 'Failed calls', kind: 'count', rising: 'bad' },
  errorRate: { label: 'Error rate', kind: 'fraction', rising: 'bad' },
  timeoutRate: { label: 'Timeout rate', kind: 'fraction', rising: 'bad' },
  rateLimited: { label: 'Rate-limited calls', kind: 'count', rising: 'bad' },
  unpriced: { label: 'Unpriced calls', kind: 'count', rising: 'bad' },
  latencyAvg: { label: 'Average latency', kind: 'duration', rising: 'bad' },
  latencyP50: { label: 'Median latency', kind: 'duration', rising: 'bad' },
  latencyP90: { label: 'p90 latency', kind: 'duration', rising: 'bad' },
  latencyP95: { label: 'p95 latency', kind: 'duration', rising: 'bad' },
  latencyP99: { label: 'p99 latency', kind: 'duration', rising: 'bad' },
  ttftAvg: { label: 'Average time to first token', kind: 'duration', rising: 'bad' },
  tokensPerSec: { label: 'Output tokens per second', kind: 'count', rising: 'good' },
  inputTokens: { label: 'Input tokens', kind: 'count' },
  outputTokens: { label: 'Output tokens', kind: 'count' },
  cacheReadTokens: { label: 'Cached input tokens', kind: 'count', rising: 'good' },
  freshTokens: { label: 'Uncached input tokens', kind: 'count' },
  reasoningTokens: { label: 'Reasoning tokens', kind: 'count' },
  cacheRate: { label: 'Cache rate', kind: 'fraction', rising: 'good' },
};

export const KINDS = {
  bars: 'Bars',
  line: 'Lines',
  number: 'Number',
  table: 'Table',
} as const satisfies Record<TileKind, string>;

/** Dimensions, and what calls without one are called. */
export const DIMENSIONS: Readonly<Record<string, { readonly label: string; readonly none: string }>> = {
  model: { label: 'Model', none: 'No model' },
  provider: { label: 'Provider', none: 'No provider' },
  environment: { label: 'Environment', none: 'No environment' },
  status: { label: 'Status', none: 'No status' },
  errorCode: { label: 'Error', none: 'No error' },
  release: { label: 'Release', none: 'No release' },
  agent: { label: 'Agent', none: 'No agent' },
  tool: { label: 'Tool', none: 'No tool' },
  promptName: { label: 'Prompt', none: 'No prompt' },
  promptVersion: { label: 'Prompt version', none: 'No prompt version' },
  userId: { label: 'User', none: 'No user' },
  keyId: { label: 'API key', none: 'No API key' },
};

export const dimensionLabel = (dimension: TileDimension): string =>
  dimension.startsWith('tag:') ? dimension.slice('tag:'.length) : (DIMENSIONS[dimension]?.label ?? dimension);

/** What a group is called; `others` is the number of groups that one without values stands for. */
export function groupLabel(
  group: readonly (string | null)[],
  { groupBy, others }: { readonly groupBy: readonly TileDimension[]; readonly others: number },
): string {
  if (group.length === 0) return `${others} others`;
  return group.map((value, place) => value ?? DIMENSIONS[groupBy[place] ?? '']?.none ?? 'None').join(' · ');
}
