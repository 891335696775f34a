import type { Connection, SqlValue } from '../../../../../db/connection.ts';
import { createSketch, decodeSketch, encodeSketch } from '../../../../../lib/sketch.ts';
import { ROLLUP_DIMENSIONS, ROLLUP_SUMS } from './rollup-sums.ts';
import type { HourDelta } from './sum-deltas.ts';

const HOURS_PER_DAY = 24;

/** Contribution to one entry of a table: `time` is its hour or day. */
type Entry = Omit<HourDelta, 'hour'> & { readonly time: number };

/** Adds contributions to the roll-ups by hour and day. */
export function createRollupWriter(
  connection: Connection,
): (project: number, deltas: readonly HourDelta[]) => void {
  const of = { dimensions: ROLLUP_DIMENSIONS, sums: ROLLUP_SUMS };
  return createHourWriter(connection, { hours: 'rollup_hours', days: 'rollup_days', ...of });
}

/** Two tables with the same columns after `hour` or `day`: dimensions, sums and, unless `plain`, a sketch. */
type Tables = {
  readonly hours: string;
  readonly days: string;
  readonly dimensions: readonly string[];
  readonly sums: readonly string[];
  readonly plain?: true;
};

/** Adds contributions to the entries of two tables, by hour and by day. */
export function createHourWriter(
  connection: Connection,
  { hours, days, ...of }: Tables,
): (project: number, deltas: readonly HourDelta[]) => void {
  const writeHour = createEntryWriter(connection, { table: hours, column: 'hour', ...of });
  const writeDay = createEntryWriter(connection, { table: days, column: 'day', ...of });
  return (project, deltas) => {
    for (const { hour, ...entry } of deltas) writeHour(project, { ...entry, time: hour });
    for (const entry of daysOf(deltas)) writeDay(project, entry);
  };
}

function createEntryWriter(
  connection: Connection,
  {
    table,
    column,
    dimensions,
    sums: names,
    plain,
  }: Omit<Tables, 'hours' | 'days'> & { readonly table: string; readonly column: string },
): (project: number, entry: Entry) => void {
  const key = ['project', column, ...dimensions];
  const columns = [...key, ...names, ...(plain ? [] : ['latency_sketch'])];
  const upsert = connection.prepare(
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})
     ON CONFLICT DO UPDATE SET ${names.map((name) => `${name} = ${name} + excluded.${name}`).join(', ')}
       ${plain ? '' : ', latency_sketch = excluded.latency_sketch'}`,
  );
  const ofKey = `FROM ${table} WHERE ${key.map((name) => `${name} = ?`).join(' AND ')}`;
  const removeEmpty = connection.prepare(`DELETE ${ofKey} AND requests = 0`);
  const sketchOf = plain ? () => [] : createSketchReader(connection, ofKey);
  return (project, { time, dimensions, sums, bins }) => {
    const values = [project, time, ...dimensions];
    upsert.run([...values, ...sums, ...sketchOf(values, bins)]);
    if ((sums[0] as number) < 0) removeEmpty.run(values);
  };
}

/** The new sketch of an entry, whose bins change. */
function createSketchReader(
  connection: Connection,
  ofKey: string,
): (key: SqlValue[], bins: readonly number[]) => Uint8Array[] {
  const read = connection.prepare(`SELECT latency_sketch ${ofKey}`).raw(true);
  return (key, bins) => {
    const [row] = read.all(key) as SqlValue[][];
    const stored = row?.[0] ?? null;
    const sketch = stored === null ? createSketch() : decodeSketch(new Uint8Array(stored as ArrayBuffer));
    for (let i = 0; i < bins.length; i += 2) {
      const bin = bins[i] as number;
      sketch[bin] = (sketch[bin] ?? 0) + (bins[i + 1] as number);
    }
    return [encodeSketch(sketch)];
  };
}

function daysOf(deltas: readonly HourDelta[]): Entry[] {
  const days = new Map<
    string,
    { time: number; dimensions: HourDelta['dimensions']; sums: number[]; bins: number[] }
  >();
  for (const { hour, dimensions, sums, bins } of deltas) {
    const time = Math.floor(hour / HOURS_PER_DAY);
    const id = JSON.stringify([time, dimensions]);
    const day = days.get(id);
    if (day === undefined) days.set(id, { time, dimensions, sums: [...sums], bins: [...bins] });
    else {
      for (let i = 0; i < sums.length; i++) day.sums[i] = (day.sums[i] as number) + (sums[i] as number);
      for (const value of bins) day.bins.push(value);
    }
  }
  return [...days.values()];
}
