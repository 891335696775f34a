import { EVENT_STATUSES, type EventStatus } from '../../../contract.ts';
import { SUM_NAMES, type Sum } from '../../../measures.ts';
import { FAILED_STATUSES } from '../../../selection.ts';
import { costStatusByte, FLAG } from '../columns.ts';
import type { Chunk } from './chunk.ts';

/** Index of each sum in an array of sums. */
export const S = Object.fromEntries(SUM_NAMES.map((name, place) => [name, place])) as Record<Sum, number>;

/** Sums in the order of `SUM_NAMES`. */
export type SumArray = Float64Array;
export const createSums = (): SumArray => new Float64Array(SUM_NAMES.length);

const statusBits = (...names: readonly EventStatus[]): readonly number[] =>
  EVENT_STATUSES.map((status) => Number(names.includes(status)));
const FAILED = statusBits(...FAILED_STATUSES);
const TIMEOUT = statusBits('timeout');
const RATE_LIMITED = statusBits('rate_limited');
const CANCELLED = statusBits('cancelled');
const UNPRICED = costStatusByte('unpriced');

/** Whole microseconds, so that sums are exact in any order of addition. */
export const micros = (ms: number): number => Math.floor(ms * 1000 + 0.5);

/** Sums that need the columns of times, and those that need the columns of tokens. */
const GENERATION = ['generation_us', 'generation_tokens'] as const;
const TIMES: readonly Sum[] = ['latency_us', 'latency_count', 'ttft_us', 'ttft_count', ...GENERATION];
const TOKENS: readonly Sum[] = [
  'unpriced_input_tokens',
  'unpriced_output_tokens',
  'input_tokens',
  'fresh_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
  'output_tokens',
  'reasoning_tokens',
  ...GENERATION,
];

/**
 * The only definition of each sum over events. It adds one event at a time, because it runs for every event of a scan
 * and decides by the column's values which sums change.
 * @param wanted sums to add; the others may be added too, where their columns are read anyway
 * @returns adds the event at a place; `weight` -1 subtracts it
 */
export function adderOf(
  chunk: Pick<Chunk, 'numbers' | 'bytes'>,
  wanted: readonly Sum[] = SUM_NAMES,
): (sums: SumArray, place: number, weight?: 1 | -1) => void {
  const status = chunk.bytes('status');
  const costStatus = chunk.bytes('cost_status');
  const cost = chunk.numbers('cost_nano');
  const hasTimes = TIMES.some((name) => wanted.includes(name));
  const hasTokens = TOKENS.some((name) => wanted.includes(name));
  const tokensOf = hasTokens ? addTokens(chunk) : () => 0;
  const timesOf = hasTimes ? addTimes(chunk) : () => {};

  return (sums, place, weight = 1) => {
    const ended = status[place] as number;
    const isUnpriced = costStatus[place] === UNPRICED;
    add(sums, S.requests, weight);
    if (ended !== 0) {
      add(sums, S.errors, weight * (FAILED[ended] ?? 0));
      add(sums, S.timeouts, weight * (TIMEOUT[ended] ?? 0));
      add(sums, S.rate_limited, weight * (RATE_LIMITED[ended] ?? 0));
      add(sums, S.cancelled, weight * (CANCELLED[ended] ?? 0));
    }
    const nano = cost[place] as number;
    if (!Number.isNaN(nano)) add(sums, S.cost_nano, weight * nano);
    if (isUnpriced) add(sums, S.unpriced, weight);
    const output = tokensOf(sums, place, weight, isUnpriced);
    timesOf(sums, place, weight, output);
  };
}

function add(sums: SumArray, sum: number, value: number): void {
  sums[sum] = (sums[sum] as number) + value;
}

type Columns = Pick<Chunk, 'numbers' | 'bytes'>;

/** Adds the tokens of an event; returns its output tokens. */
function addTokens(
  chunk: Columns,
): (sums: SumArray, place: number, weight: number, isUnpriced: boolean) => number {
  const fresh = chunk.numbers('fresh_tokens');
  const cacheRead = chunk.numbers('cache_read_tokens');
  const cacheWrite = chunk.numbers('cache_write_tokens');
  const cacheWrite1h = chunk.numbers('cache_write_1h_tokens');
  const outputs = chunk.numbers('output_tokens');
  const reasoning = chunk.numbers('reasoning_tokens');

  return (sums, place, weight, isUnpriced) => {
    const written = (cacheWrite[place] as number) + (cacheWrite1h[place] as number);
    const read = cacheRead[place] as number;
    const input = (fresh[place] as number) + read + written;
    const output = (outputs[place] as number) + (reasoning[place] as number);
    if (isUnpriced) {
      add(sums, S.unpriced_input_tokens, weight * input);
      add(sums, S.unpriced_output_tokens, weight * output);
    }
    add(sums, S.input_tokens, weight * input);
    add(sums, S.fresh_tokens, weight * (fresh[place] as number));
    add(sums, S.cache_read_tokens, weight * read);
    add(sums, S.cache_write_tokens, weight * written);
    add(sums, S.output_tokens, weight * output);
    add(sums, S.reasoning_tokens, weight * (reasoning[place] as number));
    return output;
  };
}

/** Adds the times of an event with so many output tokens. */
function addTimes(chunk: Columns): (sums: SumArray, place: number, weight: number, output: number) => void {
  const latency = chunk.numbers('latency_ms');
  const ttft = chunk.numbers('ttft_ms');
  const flags = chunk.bytes('flags');

  return (sums, place, weight, output) => {
    const firstToken = ttft[place] as number;
    const streams = ((flags[place] as number) & FLAG.stream) !== 0 && !Number.isNaN(firstToken);
    const ttftUs = streams ? micros(firstToken) : 0;
    if (streams) {
      add(sums, S.ttft_us, weight * ttftUs);
      add(sums, S.ttft_count, weight);
    }
    const lasted = latency[place] as number;
    if (Number.isNaN(lasted)) return;
    const latencyUs = micros(lasted);
    add(sums, S.latency_us, weight * latencyUs);
    add(sums, S.latency_count, weight);
    if (output === 0) return;
    add(sums, S.generation_us, weight * Math.max(0, latencyUs - ttftUs));
    add(sums, S.generation_tokens, weight * output);
  };
}
