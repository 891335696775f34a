import type { LineSort } from '../../../order/contract.ts';
import { FAILED_STATUSES } from '../../../selection.ts';
import { FLAG, STATUS } from '../columns.ts';
import type { Chunk } from '../scan/chunk.ts';
import { NUMBER_FIELDS, type ReadNumber } from '../scan/number-fields.ts';

/** Adds the event at a place to the value of its group. */
type Add = (place: number, group: number) => void;

/** The values by which groups of events are ordered. */
export type LineKeys = { open(chunk: Chunk): Add; keyOf(group: number): number };

const failed = new Set<number>(FAILED_STATUSES.map((name) => STATUS[name]));

const ofCalls = (chunk: Chunk, read: ReadNumber): ReadNumber => {
  const flags = chunk.bytes('flags');
  return (place) => (((flags[place] as number) & FLAG.call) === 0 ? 0 : read(place));
};

/** What each event adds. As in the lines: failures of any kind, cost and tokens of calls. */
const ADDENDS: Readonly<Record<Exclude<LineSort, 'time' | 'duration'>, (chunk: Chunk) => ReadNumber>> = {
  // In nano-dollars, so that sums are exact.
  cost: (chunk) => {
    const nanos = chunk.numbers('cost_nano');
    return ofCalls(chunk, (place) => (Number.isNaN(nanos[place]) ? 0 : (nanos[place] as number)));
  },
  tokens: (chunk) => ofCalls(chunk, NUMBER_FIELDS.tokens(chunk)),
  calls: (chunk) => ofCalls(chunk, () => 1),
  spans: () => () => 1,
  errors: (chunk) => {
    const statuses = chunk.bytes('status');
    return (place) => (failed.has(statuses[place] as number) ? 1 : 0);
  },
};

/** @param by not by time, which is known without the sums */
export function createLineKeys(by: Exclude<LineSort, 'time'>, size: number): LineKeys {
  if (by === 'duration') return durations(size);
  const sums = new Float64Array(size);
  return {
    open(chunk) {
      const read = ADDENDS[by](chunk);
      return (place, group) => {
        sums[group] = (sums[group] as number) + read(place);
      };
    },
    keyOf: (group) => sums[group] as number,
  };
}

/** From the start of the first event to the end of the last, in microseconds, as lines show it. */
function durations(size: number): LineKeys {
  const starts = new Float64Array(size).fill(Number.POSITIVE_INFINITY);
  const ends = new Float64Array(size).fill(Number.NEGATIVE_INFINITY);
  return {
    open(chunk) {
      const ts = chunk.numbers('ts');
      const latencies = chunk.numbers('latency_ms');
      return (place, group) => {
        const start = ts[place] as number;
        const latency = latencies[place] as number;
        const end = start + (Number.isNaN(latency) ? 0 : latency);
        if (start < (starts[group] as number)) starts[group] = start;
        if (end > (ends[group] as number)) ends[group] = end;
      };
    },
    keyOf: (group) => Math.round(((ends[group] as number) - (starts[group] as number)) * 1_000),
  };
}
