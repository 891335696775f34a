import { LABEL_SUMS } from '../../../src/core/events/stores/sqlite/labels/label-rollup.ts';
import { decodeColumns } from '../../../src/core/events/stores/sqlite/rows/narrow-columns.ts';
import type { SqlValue } from '../../../src/db/connection.ts';

/** Runs one query on the file. */
export type Rows = (sql: string) => SqlValue[][] | Promise<SqlValue[][]>;

const DIMENSIONS = 'kind, is_call, status, provider, model, environment, error_code';
const OF_ROWS = `project, ts / $ms AS time, kind, is_call, status, ifnull(provider, ''), ifnull(model, ''),
  environment, ifnull(error_code, '')`;

/** All figures that depend on prices, as stored: rows and sums. */
export async function costsOf(rows: Rows): Promise<string> {
  const all = await Promise.all([
    rows('SELECT project, ts, hex(event_id), cost_nano, cost_status, price FROM events ORDER BY 1, 2, 3'),
    rows(`SELECT project, hour, ${DIMENSIONS}, requests, cost_nano, unpriced, output_tokens, latency_us,
      hex(latency_sketch) FROM rollup_hours`),
    rows(
      `SELECT project, day, ${DIMENSIONS}, requests, cost_nano, unpriced, hex(latency_sketch) FROM rollup_days`,
    ),
  ]);
  return JSON.stringify([...all, [...(await labelsOf(rows))].sort()]);
}

const LABEL_TABLES = [
  { table: 'rollup_labels', column: 'day', hours: 24 },
  { table: 'rollup_label_hours', column: 'hour', hours: 1 },
] as const;

/** Sums of labels by hour or day and label: packed sums plus unpacked ones. */
async function labelsOf(rows: Rows): Promise<Map<string, number[]>> {
  const sums = new Map<string, number[]>();
  const add = (key: SqlValue[], values: readonly number[]): void => {
    const own = sums.get(key.join(' ')) ?? LABEL_SUMS.map(() => 0);
    sums.set(
      key.join(' '),
      own.map((sum, i) => sum + (values[i] ?? 0)),
    );
  };
  for (const { table, column, hours } of LABEL_TABLES) {
    const stored = await rows(`SELECT project, ${column}, label, ${LABEL_SUMS.join(', ')} FROM ${table}`);
    for (const [project = null, time = null, label = null, ...values] of stored)
      add([project, hours, time, label], values.map(Number));
  }
  for (const [project = null, hours = null, time = null, hex] of await rows(
    'SELECT project, hours, time, hex(sums) FROM label_packs',
  )) {
    const [labels = [], ...columns] = decodeColumns(Uint8Array.fromHex(String(hex)).buffer);
    for (const [i, label] of labels.entries())
      add(
        [project, hours, time, label],
        columns.map((values) => values[i] ?? 0),
      );
  }
  for (const [key, values] of sums) if (values.every((value) => value === 0)) sums.delete(key);
  return sums;
}

/** Labels whose sums differ from the rows. */
async function labelFaults(rows: Rows): Promise<SqlValue[][]> {
  const sums = await labelsOf(rows);
  const places = (['requests', 'cost_nano', 'unpriced'] as const).map((name) => LABEL_SUMS.indexOf(name));
  const stored = new Set([...sums].map(([key, own]) => `${key}: ${places.map((place) => own[place])}`));
  const counted = new Set<string>();
  for (const { hours } of LABEL_TABLES) {
    const recount = await rows(
      `SELECT project, ts / ${hours * 3_600_000}, label, count(*), ifnull(sum(cost_nano), 0), sum(cost_status = 1)
       FROM events WHERE is_call = 1 GROUP BY 1, 2, 3`,
    );
    for (const [project, time, label, ...own] of recount)
      counted.add(`${project} ${hours} ${time} ${label}: ${own}`);
  }
  return [
    ...[...stored.difference(counted)].map((fault) => ['labels', fault]),
    ...[...counted.difference(stored)].map((fault) => ['rows', fault]),
  ];
}

/** Differences between the roll-ups and a recount of the rows; empty if there are none. */
export async function faultsOf(rows: Rows): Promise<SqlValue[][]> {
  const compare = (table: string, column: string, ms: number): string => {
    const stored = `SELECT project, ${column}, ${DIMENSIONS}, requests, cost_nano, unpriced FROM ${table}`;
    const counted = `SELECT ${OF_ROWS.replace('$ms', String(ms))}, count(*), ifnull(sum(cost_nano), 0),
      sum(ifnull(cost_status = 1, 0)) FROM events GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9`;
    return `SELECT '${table}', * FROM (${stored} EXCEPT ${counted}) UNION ALL
      SELECT 'rows', * FROM (${counted} EXCEPT ${stored})`;
  };
  const faults = await Promise.all([
    rows(compare('rollup_hours', 'hour', 3_600_000)),
    rows(compare('rollup_days', 'day', 86_400_000)),
    labelFaults(rows),
  ]);
  return faults.flat();
}
