import type { SqlValue } from '../../../src/db/connection.ts';

/** Runs one query on the file. */
export type Rows = (sql: string) => SqlValue[][] | Promise<SqlValue[][]>;

const DIMENSIONS = 'kind, is_call, status, provider, model, environment, error_code';
const OF_ROWS = `project, ts / $ms AS time, kind, is_call, status, ifnull(provider, ''), ifnull(model, ''),
  environment, ifnull(error_code, '')`;

/** Every figure that a price decides, as the file has it: rows and all sums. */
export async function costsOf(rows: Rows): Promise<string> {
  const all = await Promise.all([
    rows('SELECT project, ts, hex(event_id), cost_nano, cost_status, price FROM events ORDER BY 1, 2, 3'),
    rows(`SELECT project, hour, ${DIMENSIONS}, requests, cost_nano, unpriced, output_tokens, latency_us,
      hex(latency_sketch) FROM rollup_hours`),
    rows(
      `SELECT project, day, ${DIMENSIONS}, requests, cost_nano, unpriced, hex(latency_sketch) FROM rollup_days`,
    ),
    rows('SELECT * FROM rollup_labels'),
    rows('SELECT * FROM rollup_label_hours'),
  ]);
  return JSON.stringify(all);
}

/** What in the roll-ups differs from a recount of the rows: nothing, if the books are right. */
export async function faultsOf(rows: Rows): Promise<SqlValue[][]> {
  const compare = (table: string, column: string, ms: number): string => {
    const stored = `SELECT project, ${column}, ${DIMENSIONS}, requests, cost_nano, unpriced FROM ${table}`;
    const counted = `SELECT ${OF_ROWS.replace('$ms', String(ms))}, count(*), ifnull(sum(cost_nano), 0),
      sum(ifnull(cost_status = 1, 0)) FROM events GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9`;
    return `SELECT '${table}', * FROM (${stored} EXCEPT ${counted}) UNION ALL
      SELECT 'rows', * FROM (${counted} EXCEPT ${stored})`;
  };
  const labels = 'SELECT project, day, label, requests, cost_nano, unpriced FROM rollup_labels';
  const counted = `SELECT project, ts / 86400000, label, count(*), ifnull(sum(cost_nano), 0), sum(cost_status = 1)
    FROM events WHERE is_call = 1 GROUP BY 1, 2, 3`;
  const faults = await Promise.all([
    rows(compare('rollup_hours', 'hour', 3_600_000)),
    rows(compare('rollup_days', 'day', 86_400_000)),
    ...[
      [labels, counted],
      [labels, counted].map((text) =>
        text
          .replace('day', 'hour')
          .replace('rollup_labels', 'rollup_label_hours')
          .replace('86400000', '3600000'),
      ),
    ].map(([stored, recount]) =>
      rows(`SELECT 'labels', * FROM (${stored} EXCEPT ${recount}) UNION ALL
        SELECT 'rows', * FROM (${recount} EXCEPT ${stored})`),
    ),
  ]);
  return faults.flat();
}
