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
import { micros } from '../scan/call-sums.ts';
import { keyAt } from '../scan/codes.ts';
import { groupEvents } from '../sums/group-events.ts';
import { hasHole } from './gaps.ts';
import { groupId } from './groups.ts';
import { type Matches, type Plan, scanParts } from './metrics-plan.ts';
import { fromRollup, groupBySql, rollupKeys } from './rollup-sql.ts';
import type { SumsPart } from './split-window.ts';

/** Milliseconds. */
export type Quantiles = Readonly<Record<Percentile, number>>;

/** Up to this many latencies, percentiles are computed exactly; above it, from sketches. */
export const EXACT_LIMIT = 100_000;

/**
 * The percentiles of each group of a query, by nearest rank: exact to the microsecond up to `EXACT_LIMIT` calls, and
 * within 1 % above it, or if retention has deleted or damage has hit events that the roll-ups still contain.
 * @param expected calls with a latency over all groups
 * @returns by the group's id; null for a group without latencies
 */
export function readPercentiles(
  reader: Reader,
  plan: Plan,
  expected: number,
): (id: string) => Quantiles | null {
  if (expected <= EXACT_LIMIT && !hasHoles(reader, plan)) {
    const values = readValues(reader, plan);
    const found = values.values().reduce((sum, list) => sum + list.length, 0);
    if (found === expected) return (id) => toQuantiles(nearestRankOf(values.get(id) ?? []));
  }
  const sketches = readSketches(reader, plan);
  return (id) => toQuantiles((q) => sketchQuantile(sketches.get(id) ?? createSketch(), q));
}

const hasHoles = (reader: Reader, { parts, window }: Plan): boolean =>
  parts.some(({ project }) => hasHole(reader, project, window));

function toQuantiles(quantile: (q: number) => number | null): Quantiles | null {
  const values = Object.entries(PERCENTILES).map(([name, q]) => [name, quantile(q)] as const);
  if (values.some(([, micros]) => micros === null)) return null;
  return Object.fromEntries(values.map(([name, micros]) => [name, (micros ?? 0) / 1000])) as Quantiles;
}

function nearestRankOf(values: readonly number[]): (q: number) => number | null {
  const sorted = Float64Array.from(values).sort();
  return (q) => sorted[Math.max(1, Math.ceil(q * sorted.length)) - 1] ?? null;
}

/** All latencies of a window in whole microseconds, by group. */
function readValues(reader: Reader, plan: Plan): Map<string, number[]> {
  const values = new Map<string, number[]>();
  const { window } = plan;
  for (const { project } of plan.parts) {
    const parts = { sums: [], ends: [{ window, sign: 1 }], unsealed: window } as const;
    for (const matches of scanParts(reader, plan, project, parts))
      eachMicros(matches, (id) => {
        const list = values.get(id) ?? [];
        values.set(id, list);
        return (micros) => list.push(micros);
      });
  }
  return values;
}

/** Gives each latency, in whole microseconds, to what `open` returned for its group. */
function eachMicros({ selected, keys }: Matches, open: (id: string) => (micros: number) => void): void {
  const { columns, mask } = selected;
  const codes = keys.map((key) => key.codes);
  const { of, firsts } = groupEvents(columns.events, codes, mask);
  const uses = firsts.map((place) => open(groupId(keyAt(keys, place))));
  const latencies = columns.numbers('latency_ms');
  for (let place = 0; place < mask.length; place++) {
    const latency = latencies[place] as number;
    if (mask[place] !== 0 && !Number.isNaN(latency)) uses[of[place] as number]?.(micros(latency));
  }
}

function readSketches(reader: Reader, plan: Plan): Map<string, Sketch> {
  const sketches = new Map<string, Sketch>();
  const sketchOf = (id: string): Sketch => {
    const sketch = sketches.get(id) ?? createSketch();
    sketches.set(id, sketch);
    return sketch;
  };
  for (const { project, parts } of plan.parts) {
    for (const part of parts.sums)
      for (const [id, encoded] of readEncoded(reader, plan, { project, part }))
        for (const hex of encoded.split(',')) decodeSketch(Uint8Array.fromHex(hex), sketchOf(id));
    for (const { sign, ...matches } of scanParts(reader, plan, project, parts))
      eachMicros(matches, (id) => {
        const sketch = sketchOf(id);
        return (micros) => addToSketch(sketch, micros, sign);
      });
  }
  return sketches;
}

type Place = { readonly project: number; readonly part: SumsPart };

/** The encoded sketches of a roll-up, as comma-separated hex, because few rows are read faster than many. */
function readEncoded(reader: Reader, plan: Plan, { project, part }: Place): [id: string, hex: string][] {
  const keys = rollupKeys(plan, part);
  const from = fromRollup(plan, project, part);
  const rows = reader.rows(
    `SELECT ${[...keys, 'group_concat(hex(latency_sketch))'].join(', ')} ${from.sql} AND latency_count > 0
     ${keys.length === 0 ? `GROUP BY ${part.rollup.column}` : groupBySql(keys)}`,
    from.args,
  );
  return rows.map((row): [string, string] => [groupId(row.slice(0, keys.length)), textOf(row[keys.length])]);
}

const textOf = (value: SqlValue | undefined): string => (typeof value === 'string' ? value : '');
