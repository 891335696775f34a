import { DAY_MS, HOUR_MS } from '../../../../../lib/time.ts';
import type { Sum } from '../../../measures.ts';

/** The dimensions of `rollup_hours` and `rollup_days` after project and time, in the order of their keys. */
export const ROLLUP_DIMENSIONS = [
  'kind',
  'is_call',
  'status',
  'provider',
  'model',
  'environment',
  'error_code',
] as const;

/** Their sums over the events of an hour or day. */
export const ROLLUP_SUMS = [
  'requests',
  'cost_nano',
  'unpriced',
  'unpriced_input_tokens',
  'unpriced_output_tokens',
  'fresh_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
  'output_tokens',
  'reasoning_tokens',
  'latency_us',
  'latency_count',
  'ttft_us',
  'ttft_count',
  'generation_us',
  'generation_tokens',
] as const satisfies Sum[];

/** The sums of an hour or day and label, over calls only. */
export const LABEL_SUMS = [
  'requests',
  'errors',
  'cost_nano',
  'unpriced',
  'input_tokens',
  'cache_read_tokens',
  'output_tokens',
] as const satisfies Sum[];

/** The sums of an hour or day and link. */
export const LINK_SUMS = [
  'requests',
  'errors',
  'cost_nano',
  'unpriced',
  'input_tokens',
  'output_tokens',
  'latency_us',
  'latency_count',
] as const satisfies Sum[];

export type LabelSum = (typeof LABEL_SUMS)[number];

/** The roll-ups. `column` is the time since the epoch in units of `ms`. They contain sealed events. */
export const ROLLUP_DAYS = { table: 'rollup_days', column: 'day', ms: DAY_MS } as const;
export const ROLLUP_HOURS = { table: 'rollup_hours', column: 'hour', ms: HOUR_MS } as const;

/**
 * The label sums. Finished hours and days are moved to `label_packs` (labels/label-packs.ts); a sum is the total of
 * both places.
 */
export const LABEL_ROLLUPS = [
  { table: 'rollup_labels', column: 'day', ms: DAY_MS },
  { table: 'rollup_label_hours', column: 'hour', ms: HOUR_MS },
] as const;
export type LabelRollup = (typeof LABEL_ROLLUPS)[number];
