import type { Connection, SqlValue } from '../../../../../db/connection.ts';
import {
  addToSketch,
  createSketch,
  decodeSketch,
  encodeSketch,
  type Sketch,
} from '../../../../../lib/sketch.ts';
import { DAY_MS, HOUR_MS, SLOT_MS } from '../../../../../lib/time.ts';
import { ROLLUP_DIMENSIONS, ROLLUP_SUMS } from '../../log/sums/rollup-sums.ts';
import { createLabelRollup } from '../labels/label-rollup.ts';
import { C } from '../rows/row.ts';
import { addend } from '../rows/sums.ts';

export { ROLLUP_DIMENSIONS, ROLLUP_SUMS };

/**
 * The roll-ups, coarse to fine. `column` is the time since the epoch in units of `ms`. Slots are five minutes: they
 * cover the edges of a window, have no latency sketches and are deleted with the rows.
 */
export const ROLLUP_DAYS = { table: 'rollup_days', column: 'day', ms: DAY_MS, sketch: true } as const;
export const ROLLUP_HOURS = { table: 'rollup_hours', column: 'hour', ms: HOUR_MS, sketch: true } as const;
export const ROLLUP_SLOTS = { table: 'rollup_slots', column: 'slot', ms: SLOT_MS, sketch: false } as const;
export const ROLLUPS = [ROLLUP_DAYS, ROLLUP_HOURS, ROLLUP_SLOTS] as const;
export type RollupTable = (typeof ROLLUPS)[number];

/** Contribution of some rows to one entry. `key` is the table's key; latencies are whole microseconds. */
type Delta = {
  key: SqlValue[];
  sums: number[];
  latencies: number[];
  /** Subtracted latencies. */
  removed: number[];
  /** Whether rows were subtracted, so the entry may be empty now. */
  shrinks: boolean;
};

/** Buffers contributions of rows to the roll-ups and writes them once per transaction. */
export type Rollup = {
  /** @param weight -1 subtracts rows that were added before; entries without rows are deleted */
  add(rows: readonly SqlValue[][], weight?: 1 | -1): void;
  flush(): void;
  discard(): void;
};

/** Sketches kept in memory (6 KB each), so that a busy hour is not reread at every commit. */
const SKETCH_CACHE = 2_000;

export function createRollup(connection: Connection): Rollup {
  const writeSlots = createTableWriter(connection, ROLLUP_SLOTS);
  const writeHours = createTableWriter(connection, ROLLUP_HOURS);
  const writeDays = createTableWriter(connection, ROLLUP_DAYS);
  const labels = createLabelRollup(connection);
  let slots = new Map<string, Delta>();

  return {
    add(rows, weight = 1) {
      labels.add(rows, weight);
      for (const row of rows) {
        const id = idOf(row);
        addRow(slots.get(id) ?? newEntry(slots, id, keyOf(row)), row, weight);
      }
    },
    flush() {
      const hours = coarser(slots, HOUR_MS / SLOT_MS);
      writeSlots.write(slots);
      writeHours.write(hours);
      writeDays.write(coarser(hours, DAY_MS / HOUR_MS));
      labels.flush();
      slots = new Map();
    },
    discard() {
      slots = new Map();
      labels.discard();
      for (const { forget } of [writeSlots, writeHours, writeDays]) forget();
    },
  };
}

/** Merges deltas into time ranges that are `factor` times as long. */
function coarser(deltas: ReadonlyMap<string, Delta>, factor: number): Map<string, Delta> {
  const merged = new Map<string, Delta>();
  for (const { key, sums, latencies, removed, shrinks } of deltas.values()) {
    const [project = null, time = null, ...rest] = key;
    const entry = entryOf(merged, [project, Math.floor(Number(time) / factor), ...rest]);
    addSums(entry, sums);
    for (const latency of latencies) entry.latencies.push(latency);
    for (const latency of removed) entry.removed.push(latency);
    entry.shrinks ||= shrinks;
  }
  return merged;
}

/** Adds deltas to the entries of one table. */
function createTableWriter(
  connection: Connection,
  { table, column, sketch: hasSketch }: RollupTable,
): { write(deltas: ReadonlyMap<string, Delta>): void; forget(): void } {
  const keys = ['project', column, ...ROLLUP_DIMENSIONS];
  const columns = [...keys, ...ROLLUP_SUMS, ...(hasSketch ? ['latency_sketch'] : [])];
  const changes = ROLLUP_SUMS.map((name) => `${name} = ${name} + excluded.${name}`);
  if (hasSketch) changes.push('latency_sketch = excluded.latency_sketch');
  const upsert = connection.prepare(
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})
     ON CONFLICT DO UPDATE SET ${changes.join(', ')}`,
  );
  const ofKey = keys.map((name) => `${name} = ?`).join(' AND ');
  const removeEmpty = connection.prepare(`DELETE FROM ${table} WHERE ${ofKey} AND requests = 0`);
  const readSketch = connection
    .prepare(`SELECT ${hasSketch ? 'latency_sketch' : 'NULL'} FROM ${table} WHERE ${ofKey}`)
    .raw(true);
  const cache = new Map<string, Sketch>();

  function sketchOf(id: string, key: SqlValue[]): Sketch {
    const known = cache.get(id);
    if (known !== undefined) return known;
    const [row] = readSketch.all(key) as SqlValue[][];
    const stored = row?.[0] ?? null;
    const sketch = stored === null ? createSketch() : decodeSketch(new Uint8Array(stored as ArrayBuffer));
    const oldest = cache.size >= SKETCH_CACHE ? cache.keys().next().value : undefined;
    if (oldest !== undefined) cache.delete(oldest);
    cache.set(id, sketch);
    return sketch;
  }

  return {
    write(deltas) {
      for (const [id, { key, sums, latencies, removed, shrinks }] of deltas) {
        if (hasSketch) {
          const sketch = sketchOf(id, key);
          for (const latency of latencies) addToSketch(sketch, latency);
          for (const latency of removed) addToSketch(sketch, latency, -1);
          upsert.run([...key, ...sums, encodeSketch(sketch)]);
        } else upsert.run([...key, ...sums]);
        if (shrinks) removeEmpty.run(key);
      }
    },
    forget: () => cache.clear(),
  };
}

function entryOf(deltas: Map<string, Delta>, key: SqlValue[]): Delta {
  const id = key.join('\0');
  return deltas.get(id) ?? newEntry(deltas, id, key);
}

function newEntry(deltas: Map<string, Delta>, id: string, key: SqlValue[]): Delta {
  const delta: Delta = { key, sums: ROLLUP_SUMS.map(() => 0), latencies: [], removed: [], shrinks: false };
  deltas.set(id, delta);
  return delta;
}

function addSums({ sums }: Delta, added: readonly number[], weight: 1 | -1 = 1): void {
  for (let i = 0; i < added.length; i++) sums[i] = (sums[i] ?? 0) + weight * (added[i] ?? 0);
}

/** Identifies the entry of a row without building its key, because this runs for every event. */
function idOf(row: readonly SqlValue[]): string {
  const slot = Math.floor(Number(row[C.ts]) / SLOT_MS);
  const numbers = `${row[C.project]}\0${slot}\0${row[C.kind]}\0${row[C.is_call]}\0${row[C.status]}`;
  return `${numbers}\0${row[C.provider] ?? ''}\0${row[C.model] ?? ''}\0${row[C.environment] ?? ''}\0${row[C.error_code] ?? ''}`;
}

function keyOf(row: readonly SqlValue[]): SqlValue[] {
  const text = (place: number): SqlValue => row[place] ?? '';
  return [
    row[C.project] ?? null,
    Math.floor(Number(row[C.ts]) / SLOT_MS),
    row[C.kind] ?? null,
    row[C.is_call] ?? null,
    row[C.status] ?? null,
    text(C.provider),
    text(C.model),
    text(C.environment),
    text(C.error_code),
  ];
}

const ADDENDS = ROLLUP_SUMS.map(addend);

function addRow(delta: Delta, row: readonly SqlValue[], weight: 1 | -1): void {
  for (const [i, addendOf] of ADDENDS.entries())
    delta.sums[i] = (delta.sums[i] ?? 0) + weight * addendOf(row);
  if (weight === -1) delta.shrinks = true;
  if (row[C.latency_ms] !== null) (weight === 1 ? delta.latencies : delta.removed).push(latencyOf(row));
}

const latencyOf = addend('latency_us');
