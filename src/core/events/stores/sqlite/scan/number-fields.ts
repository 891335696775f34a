import { FLAG, type NumberColumn } from '../columns.ts';
import type { Chunk } from './chunk.ts';

/** Reads a number of the event at a place; NaN without one. */
export type ReadNumber = (place: number) => number;

/** The sum of columns. */
const sumOf =
  (...columns: readonly NumberColumn[]) =>
  (chunk: Chunk): ReadNumber => {
    const read = columns.map((column) => chunk.numbers(column));
    const [only] = read;
    if (read.length === 1 && only !== undefined) return (place) => only[place] as number;
    return (place) => read.reduce((sum, numbers) => sum + (numbers[place] as number), 0);
  };

const INPUT = ['fresh_tokens', 'cache_read_tokens', 'cache_write_tokens', 'cache_write_1h_tokens'] as const;
const OUTPUT = ['output_tokens', 'reasoning_tokens'] as const;

/** Cost in USD of an event that counts as a call. */
const cost = (chunk: Chunk): ReadNumber => {
  const nanos = chunk.numbers('cost_nano');
  const flags = chunk.bytes('flags');
  return (place) =>
    ((flags[place] as number) & FLAG.call) === 0 ? Number.NaN : (nanos[place] as number) / 1e9;
};

/** The numbers by which events are filtered and ordered. */
export const NUMBER_FIELDS = {
  latency: sumOf('latency_ms'),
  ttft: sumOf('ttft_ms'),
  cost,
  input: sumOf(...INPUT),
  output: sumOf(...OUTPUT),
  cached: sumOf('cache_read_tokens'),
  reasoning: sumOf('reasoning_tokens'),
  tokens: sumOf(...INPUT, ...OUTPUT),
} as const satisfies Record<string, (chunk: Chunk) => ReadNumber>;
