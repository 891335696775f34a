import type { SqlValue } from '../../../../../db/connection.ts';
import type { Reader } from '../../../../../db/reader.ts';
import {
  addToSketch,
  createSketch,
  decodeSketch,
  type Sketch,
  sketchQuantile,
} from '../../../../../lib/sketch.ts';
import { PERCENTILES, type Percentile } from '../../../measures.ts';
import type { Selection } from '../../../selection.ts';
import { groupId } from '../queries/groups.ts';
import { fromPart, groupBySql, keySql, type Plan } from '../queries/metrics-plan.ts';
import { busyHours } from '../rows/busy-hours.ts';
import { type Part, RAW_ROWS } from './split-window.ts';

/** Milliseconds. */
export type Quantiles = Readonly<Record<Percentile, number>>;

/** Up to this many latencies, percentiles are computed exactly; above it, from sketches. */
export const EXACT_LIMIT = 100_000;

/**
 * The percentiles of each group of a query, by nearest rank: exact to the microsecond up to `EXACT_LIMIT` calls, and
 * within 1 % above it or if retention has deleted rows that the roll-ups still contain.
 * @param expected calls with a latency over all groups
 * @returns by the group's id; null for a group without latencies
 */
export function readPercentiles(
  reader: Reader,
  plan: Plan,
  expected: number,
): (id: string) => Quantiles | null {
  if (expected <= EXACT_LIMIT) {
    const values = readValues(reader, plan);
    const found = values.values().reduce((sum, list) => sum + list.length, 0);
    if (found === expected) return (id) => toQuantiles(nearestRankOf(values.get(id) ?? []));
  }
  const sketches = readSketches(reader, plan);
  return (id) => toQuantiles((q) => sketchQuantile(sketches.get(id) ?? createSketch(), q));
}

function toQuantiles(quantile: (q: number) => number | null): Quantiles | null {
  const values = Object.entries(PERCENTILES).map(([name, q]) => [name, quantile(q)] as const);
  if (values.some(([, micros]) => micros === null)) return null;
  return Object.fromEntries(values.map(([name, micros]) => [name, (micros ?? 0) / 1000])) as Quantiles;
}

function nearestRankOf(values: readonly number[]): (q: number) => number | null {
  const sorted = Float64Array.from(values).sort();
  return (q) => sorted[Math.max(1, Math.ceil(q * sorted.length)) - 1] ?? null;
}

/** Whole microseconds, like the sketches. One text per group is much cheaper than a row per call. */
const MICROS = 'group_concat(CAST(round(latency_ms * 1000) AS INTEGER))';

function readValues(reader: Reader, plan: Plan): Map<string, number[]> {
  const values = new Map<string, number[]>();
  for (const { project } of plan.parts) {
    const part = { source: RAW_ROWS, ...plan.window, sign: 1 } as const;
    eachMicros(reader, plan, { project, part }, (id, micros) => {
      const list = values.get(id) ?? [];
      if (list.length === 0) values.set(id, list);
      list.push(micros);
    });
  }
  return values;
}

type Place = { readonly project: number; readonly part: Part };

function eachMicros(
  reader: Reader,
  plan: Plan,
  { project, part }: Place,
  use: (id: string, micros: number) => void,
): void {
  const keys = keySql(plan, part);
  const from = fromPart(plan, project, part);
  const rows = reader.rows(
    `SELECT ${[...keys, MICROS].join(', ')} ${from.sql} AND latency_ms IS NOT NULL ${groupBySql(keys)}`,
    from.args,
  );
  for (const row of rows) {
    const list = row[keys.length] ?? null;
    if (list === null) continue;
    const id = groupId(row.slice(0, keys.length));
    for (const micros of String(list).split(',')) use(id, Number(micros));
  }
}

/** Long ranges of rows are read an hour at a time to bound memory. */
const CALLS: Selection = { filters: {}, calls: true };

function readSketches(reader: Reader, plan: Plan): Map<string, Sketch> {
  const sketches = new Map<string, Sketch>();
  const sketchOf = (id: string): Sketch => {
    const sketch = sketches.get(id) ?? createSketch();
    sketches.set(id, sketch);
    return sketch;
  };
  for (const { project, parts } of plan.parts) {
    for (const part of parts) {
      if (!('sketch' in part.source && part.source.sketch)) {
        const [from, to] = [part.from * part.source.ms, part.to * part.source.ms];
        const isNarrow = plan.userId !== null || plan.sessionTimes !== null;
        const stretches = isNarrow ? [{ from, to }] : busyHours(reader, project, CALLS, { from, to });
        for (const stretch of stretches) {
          const piece = { source: RAW_ROWS, sign: part.sign, from: stretch.from, to: stretch.to };
          eachMicros(reader, plan, { project, part: piece }, (id, micros) =>
            addToSketch(sketchOf(id), micros, part.sign),
          );
        }
        continue;
      }
      for (const [id, hex] of readEncoded(reader, plan, { project, part })) {
        for (const one of hex.split(',')) decodeSketch(Uint8Array.fromHex(one), sketchOf(id));
      }
    }
  }
  return sketches;
}

/** The encoded sketches of a roll-up, as comma-separated hex, because few rows are read faster than many. */
function readEncoded(reader: Reader, plan: Plan, { project, part }: Place): [id: string, hex: string][] {
  const keys = keySql(plan, part);
  const { table, column } = part.source;
  const rows = reader.rows(
    `SELECT ${[...keys, 'group_concat(hex(latency_sketch))'].join(', ')} FROM ${table}
     WHERE project = ? AND ${column} >= ? AND ${column} < ? AND latency_count > 0${plan.where.sql}
     ${keys.length === 0 ? `GROUP BY ${column}` : groupBySql(keys)}`,
    [project, part.from, part.to, ...plan.where.args],
  );
  return rows.map((row): [string, string] => [groupId(row.slice(0, keys.length)), textOf(row[keys.length])]);
}

const textOf = (value: SqlValue | undefined): string => (typeof value === 'string' ? value : '');
