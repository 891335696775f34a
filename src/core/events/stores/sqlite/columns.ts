import { COST_STATUSES, type CostStatus, EVENT_KINDS, EVENT_STATUSES } from '../../contract.ts';

/** Columns of numbers; NaN is null. `cost_nano` in nano-dollars, `price` a number of `event_prices`. */
export const NUMBERS = [
  'ts',
  'latency_ms',
  'ttft_ms',
  'cost_nano',
  'fresh_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
  'cache_write_1h_tokens',
  'output_tokens',
  'reasoning_tokens',
  'price',
] as const;
/**
 * `label` and `link`, numbers of `event_labels` and `event_links`, are assigned when a batch is stored, so a pack does
 * not contain them. A `link` can change later. 0 is none.
 */
export type NumberColumn = (typeof NUMBERS)[number] | 'label' | 'link';

/** Columns of one byte: indexes of `EVENT_KINDS` and `EVENT_STATUSES`, `costStatusByte`, and bits of `FLAG`. */
export const BYTES = ['kind', 'status', 'cost_status', 'flags'] as const;
export type ByteColumn = (typeof BYTES)[number];

/** Columns of text with few distinct values per chunk. `shape` is JSON: see `packs/fields.ts`. */
export const TEXTS = [
  'provider',
  'model',
  'environment',
  'operation',
  'user_id',
  'session_id',
  'error_code',
  'shape',
] as const;
export type TextColumn = (typeof TEXTS)[number];

/** Columns with so many distinct texts that a Bloom filter tells which a segment may contain. */
export const FILTERED_TEXTS = ['user_id', 'session_id'] as const satisfies TextColumn[];
export type FilteredText = (typeof FILTERED_TEXTS)[number];

/** Ids and their length in words of 32 bits. */
export const ID_WORDS = { event_id: 4, trace_id: 4, span_id: 2, parent_span_id: 2 } as const;
export type IdColumn = keyof typeof ID_WORDS;

/** Bits of `flags`. An id that is not hexadecimal is odd: its column has a hash, its text is in the detail. */
export const FLAG = { call: 1, stream: 2, parent: 4, oddTrace: 8, oddSpan: 16, oddParent: 32 } as const;

const numbersOf = <T extends string>(names: readonly T[]): Readonly<Record<T, number>> =>
  Object.fromEntries(names.map((name, number) => [name, number])) as Record<T, number>;

/** The stored numbers of kinds and statuses. */
export const KIND = numbersOf(EVENT_KINDS);
export const STATUS = numbersOf(EVENT_STATUSES);

/** The stored number of a cost status; 0 is null. */
export const costStatusByte = (name: CostStatus | null): number =>
  name === null ? 0 : COST_STATUSES.indexOf(name) + 1;
