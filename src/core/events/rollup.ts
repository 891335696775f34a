import type { Connection, SqlValue } from '../../db/connection.ts';
import { addToSketch, decodeSketch, encodeSketch, mergeSketch, type Sketch } from '../../lib/sketch.ts';
import { COST_STATUSES } from './contract.ts';
import { C } from './row.ts';

export const HOUR_MS = 3_600_000;

/** The dimensions of `rollup_hours`, in the order of its key. */
export const ROLLUP_KEYS = [
  'project',
  'hour',
  'kind',
  'is_call',
  'status',
  'provider',
  'model',
  'environment',
  'error_code',
] as const;

/** The sums of `rollup_hours`; each equals a sum over the rows of its hour. */
export const ROLLUP_SUMS = [
  'requests',
  'cost_nano',
  'unpriced',
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
] as const;

type Delta = { key: SqlValue[]; sums: number[]; sketch: Sketch };

/** Gathers what rows add to the hours and writes it once per transaction. */
export type Rollup = { add(rows: readonly SqlValue[][]): void; flush(): void; discard(): void };

/** Sketches kept in memory, so that a busy hour is not read back at every commit. */
const SKETCH_CACHE = 5_000;
const UNPRICED = COST_STATUSES.indexOf('unpriced');

export function createRollup(connection: Connection): Rollup {
  const keys = ROLLUP_KEYS.join(', ');
  const sums = ROLLUP_SUMS.join(', ');
  const marks = [...ROLLUP_KEYS, ...ROLLUP_SUMS].map(() => '?').join(', ');
  const upsert = connection.prepare(
    `INSERT INTO rollup_hours (${keys}, ${sums}, latency_sketch) VALUES (${marks}, ?)
     ON CONFLICT DO UPDATE SET ${ROLLUP_SUMS.map((name) => `${name} = ${name} + excluded.${name}`).join(', ')},
       latency_sketch = excluded.latency_sketch`,
  );
  const readSketch = connection
    .prepare(
      `SELECT latency_sketch FROM rollup_hours WHERE ${ROLLUP_KEYS.map((name) => `${name} = ?`).join(' AND ')}`,
    )
    .raw(true);
  const cache = new Map<string, Sketch>();
  let deltas = new Map<string, Delta>();

  function sketchOf(id: string, delta: Delta): Sketch {
    let sketch = cache.get(id);
    if (sketch === undefined) {
      const [row] = readSketch.all(delta.key) as SqlValue[][];
      const stored = row?.[0] ?? null;
      sketch = stored === null ? new Map() : decodeSketch(new Uint8Array(stored as ArrayBuffer));
      const oldest = cache.size >= SKETCH_CACHE ? cache.keys().next().value : undefined;
      if (oldest !== undefined) cache.delete(oldest);
      cache.set(id, sketch);
    }
    mergeSketch(sketch, delta.sketch);
    return sketch;
  }

  return {
    add(rows) {
      for (const row of rows) {
        const key = keyOf(row);
        const id = key.join('\0');
        let delta = deltas.get(id);
        if (delta === undefined) {
          delta = { key, sums: ROLLUP_SUMS.map(() => 0), sketch: new Map() };
          deltas.set(id, delta);
        }
        addRow(delta, row);
      }
    },
    flush() {
      for (const [id, delta] of deltas) {
        upsert.run([...delta.key, ...delta.sums, encodeSketch(sketchOf(id, delta))]);
      }
      deltas = new Map();
    },
    discard() {
      deltas = new Map();
      cache.clear();
    },
  };
}

function keyOf(row: readonly SqlValue[]): SqlValue[] {
  const text = (place: number): SqlValue => row[place] ?? '';
  return [
    row[C.project] ?? null,
    Math.floor(Number(row[C.ts]) / HOUR_MS),
    row[C.kind] ?? null,
    row[C.is_call] ?? null,
    row[C.status] ?? null,
    text(C.provider),
    text(C.model),
    text(C.environment),
    text(C.error_code),
  ];
}

/** What one row adds, in the order of `ROLLUP_SUMS`. Times are whole microseconds, so that sums are exact. */
function addRow(delta: Delta, row: readonly SqlValue[]): void {
  const number = (place: number): number => Number(row[place] ?? 0);
  const micros = (place: number): number => Math.round(number(place) * 1000);
  const hasLatency = row[C.latency_ms] !== null;
  const hasTtft = row[C.ttft_ms] !== null && row[C.stream] === 1;
  const output = number(C.output_tokens) + number(C.reasoning_tokens);
  const generates = hasLatency && output > 0;
  const latency = micros(C.latency_ms);
  const ttft = hasTtft ? micros(C.ttft_ms) : 0;
  const added = [
    1,
    number(C.cost_nano),
    row[C.cost_status] === UNPRICED ? 1 : 0,
    number(C.fresh_tokens),
    number(C.cache_read_tokens),
    number(C.cache_write_tokens) + number(C.cache_write_1h_tokens),
    output,
    number(C.reasoning_tokens),
    latency,
    hasLatency ? 1 : 0,
    ttft,
    hasTtft ? 1 : 0,
    generates ? Math.max(0, latency - ttft) : 0,
    generates ? output : 0,
  ];
  for (const [i, amount] of added.entries()) delta.sums[i] = (delta.sums[i] ?? 0) + amount;
  if (hasLatency) addToSketch(delta.sketch, latency);
}

/**
 * The same sums as SQL over `events`, for windows that roll-ups can't answer: each expression equals what
 * `addRow` adds. Totals use total(), which can't overflow.
 */
export const RAW_SUMS: Record<(typeof ROLLUP_SUMS)[number], string> = {
  requests: 'count(*)',
  cost_nano: 'total(cost_nano)',
  unpriced: `total(cost_status = ${UNPRICED})`,
  fresh_tokens: 'total(fresh_tokens)',
  cache_read_tokens: 'total(cache_read_tokens)',
  cache_write_tokens: 'total(cache_write_tokens + cache_write_1h_tokens)',
  output_tokens: 'total(output_tokens + reasoning_tokens)',
  reasoning_tokens: 'total(reasoning_tokens)',
  latency_us: 'total(round(latency_ms * 1000))',
  latency_count: 'count(latency_ms)',
  ttft_us: 'total(iif(stream, round(ttft_ms * 1000), 0))',
  ttft_count: 'total(stream AND ttft_ms IS NOT NULL)',
  generation_us: `total(iif(output_tokens + reasoning_tokens > 0,
    max(0, round(latency_ms * 1000) - iif(stream, ifnull(round(ttft_ms * 1000), 0), 0)), 0))`,
  generation_tokens: 'total(iif(latency_ms IS NOT NULL, output_tokens + reasoning_tokens, 0))',
};
