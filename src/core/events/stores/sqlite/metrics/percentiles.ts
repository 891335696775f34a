import type { SqlValue } from '../../../../../db/connection.ts';
import type { Reader } from '../../../../../db/reader.ts';
import {
  addToSketch,
  createSketch,
  decodeSketch,
  type Sketch,
  sketchQuantile,
} from '../../../../../lib/sketch.ts';
import { type CallTime, isPercentile, type Measure, PERCENTILES } from '../../../measures.ts';
import { namedKey } from '../../shared/metrics/dimensions.ts';
import { groupId, type Quantiles } from '../../shared/metrics/groups.ts';
import type { Targets } from '../../shared/metrics/groups-source.ts';
import { FLAG } from '../columns.ts';
import { micros } from '../scan/call-sums.ts';
import { keyAt } from '../scan/codes.ts';
import type { Columns } from '../scan/select-events.ts';
import { groupEvents } from '../sums/group-events.ts';
import { hasHole } from './gaps.ts';
import { type Matches, type Plan, scanParts } from './metrics-plan.ts';
import { fromRollup, groupBySql, rollupKeys } from './rollup-sql.ts';
import type { PlanPart } from './split-by-bucket.ts';
import type { SumsPart } from './split-window.ts';

type TimeOf = { readonly time: CallTime; readonly targets: Targets };

/** Up to this many values, percentiles are computed exactly; above it, from sketches. */
export const EXACT_LIMIT = 100_000;

/**
 * The percentiles of each group of a query, by nearest rank: exact to the microsecond up to `EXACT_LIMIT` values, and
 * within 1 % above it, or if retention has deleted or damage has hit events that the roll-ups still contain.
 * @param countOf the number of values over all groups
 * @returns by the group's id
 */
export function readPercentiles(
  reader: Reader,
  plan: Plan,
  measures: readonly Measure[],
  countOf: (time: CallTime) => number,
  targets: Targets = (key) => [key],
): (id: string) => Quantiles {
  const wanted = measures.filter(isPercentile);
  const times = new Set(wanted.map((name) => PERCENTILES[name].time));
  const ranks = new Map(
    [...times].map((time) => [time, readRanks(reader, plan, { time, targets }, countOf(time))]),
  );
  return (id) =>
    Object.fromEntries(
      wanted.flatMap((name) => {
        const { time, q } = PERCENTILES[name];
        const found = ranks.get(time)?.(id, q) ?? null;
        return found === null ? [] : [[name, found / 1000]];
      }),
    );
}

/** The value in microseconds of a group at a rank; null without values. */
type Ranks = (id: string, q: number) => number | null;

function readRanks(reader: Reader, plan: Plan, of: TimeOf, expected: number): Ranks {
  if (expected <= EXACT_LIMIT && !hasHoles(reader, plan)) {
    const values = readValues(reader, plan, of);
    const found = values.all;
    if (found === expected || of.time === 'ttft') return nearestRanks(values.byGroup);
  }
  const sketches = readSketches(reader, plan, of);
  return (id, q) => {
    const sketch = sketches.get(id);
    return sketch === undefined ? null : sketchQuantile(sketch, q);
  };
}

export const hasHoles = (reader: Reader, { window }: Plan): boolean =>
  reader.projects.some((project) => hasHole(reader, project, window));

function nearestRanks(values: ReadonlyMap<string, number[]>): Ranks {
  const sorted = new Map([...values].map(([id, list]) => [id, Float64Array.from(list).sort()]));
  return (id, q) => {
    const own = sorted.get(id);
    return own?.[Math.max(1, Math.ceil(q * own.length)) - 1] ?? null;
  };
}

/** All values of a window in whole microseconds, by group, and their number. */
function readValues(
  reader: Reader,
  plan: Plan,
  { time, targets }: TimeOf,
): { readonly byGroup: Map<string, number[]>; readonly all: number } {
  const byGroup = new Map<string, number[]>();
  let all = 0;
  for (const part of wholeWindow(reader, plan))
    for (const matches of scanParts(reader, plan, part))
      eachMicros(matches, time, (key) => {
        const lists = targets(key).map((target) => {
          const id = groupId(target);
          const list = byGroup.get(id) ?? [];
          byGroup.set(id, list);
          return list;
        });
        return (micros) => {
          all++;
          for (const list of lists) list.push(micros);
        };
      });
  return { byGroup, all };
}

/** Parts of a plan that scan all of its events. */
export const wholeWindow = ({ projects }: Reader, { window }: Plan): PlanPart[] =>
  projects.map((project) => ({
    project,
    parts: { sums: [], ends: [{ window, sign: 1 }], unsealed: window },
    bucket: null,
  }));

/** Gives each value, in whole microseconds, to what `open` returned for its group. */
export function eachMicros(
  { selected, keys }: Matches,
  time: CallTime,
  open: (key: readonly SqlValue[]) => (micros: number) => void,
): void {
  const { columns, mask } = selected;
  const codes = keys.map((key) => key.codes);
  const { of, firsts } = groupEvents(columns.events, codes, mask);
  const uses = firsts.map((place) => open(keyAt(keys, place)));
  const valueAt = timeOf(columns, time);
  for (let place = 0; place < mask.length; place++) {
    if (mask[place] === 0) continue;
    const value = valueAt(place);
    if (!Number.isNaN(value)) uses[of[place] as number]?.(micros(value));
  }
}

/** Reads a time in milliseconds; NaN without one. Only streamed calls have a time to first token. */
function timeOf(columns: Columns, time: CallTime): (place: number) => number {
  if (time === 'latency') {
    const latencies = columns.numbers('latency_ms');
    return (place) => latencies[place] as number;
  }
  const times = columns.numbers('ttft_ms');
  const flags = columns.bytes('flags');
  return (place) => (((flags[place] as number) & FLAG.stream) === 0 ? Number.NaN : (times[place] as number));
}

/** The histogram of a time by group. Roll-ups have that of latencies; others are counted call by call. */
export function readSketches(reader: Reader, plan: Plan, { time, targets }: TimeOf): Map<string, Sketch> {
  const sketches = new Map<string, Sketch>();
  const sketchesOf = (key: readonly SqlValue[]): Sketch[] =>
    targets(key).map((target) => {
      const id = groupId(target);
      const sketch = sketches.get(id) ?? createSketch();
      sketches.set(id, sketch);
      return sketch;
    });
  for (const planned of time === 'latency' ? plan.parts : wholeWindow(reader, plan)) {
    const { project, parts, bucket } = planned;
    for (const part of parts.sums)
      for (const [key, encoded] of readEncoded(reader, plan, { project, part, bucket })) {
        const own = sketchesOf(key);
        for (const hex of encoded.split(','))
          for (const sketch of own) decodeSketch(Uint8Array.fromHex(hex), sketch);
      }
    for (const { sign, ...matches } of scanParts(reader, plan, planned))
      eachMicros(matches, time, (key) => {
        const own = sketchesOf(key);
        return (micros) => {
          for (const sketch of own) addToSketch(sketch, micros, sign);
        };
      });
  }
  return sketches;
}

type Place = Pick<PlanPart, 'project' | 'bucket'> & { readonly part: SumsPart };

/** The encoded sketches of a roll-up, as comma-separated hex, because few rows are read faster than many. */
function readEncoded(
  reader: Reader,
  plan: Plan,
  { project, part, bucket }: Place,
): [key: readonly SqlValue[], hex: string][] {
  const keys = rollupKeys(plan, part, bucket);
  const from = fromRollup(plan, project, part);
  const rows = reader.rows(
    `SELECT ${[...keys, 'group_concat(hex(latency_sketch))'].join(', ')} ${from.sql} AND latency_count > 0
     ${keys.length === 0 ? `GROUP BY ${part.rollup.column}` : groupBySql(keys)}`,
    from.args,
  );
  const named = namedKey(plan.dimensions, keys.length - plan.dimensions.length);
  return rows.map((row): [readonly SqlValue[], string] => [
    named(row.slice(0, keys.length)),
    textOf(row[keys.length]),
  ]);
}

const textOf = (value: SqlValue | undefined): string => (typeof value === 'string' ? value : '');
