import type { SqlValue } from '../../db/connection.ts';
import type { Reader } from '../../db/reader.ts';
import { HOUR_MS } from '../../lib/time.ts';

/** Ids in one statement: always as many, so that it is prepared once. */
const CHUNK = 64;
const MARKS = Array.from({ length: CHUNK }, () => '?').join(', ');

/** Some traces in some hours: as many probes of the index of traces as there are pairs. */
export type TracesOfHours = {
  readonly project: number;
  /** Both inclusive, hours since the epoch. */
  readonly hours: { readonly first: number; readonly last: number };
  readonly traceIds: readonly SqlValue[];
};

/**
 * Rows of `SELECT columns FROM events` over some traces in some hours.
 * @param rest further conditions and GROUP BY, with their arguments
 */
export function readTracesOfHours(
  reader: Reader,
  { project, hours, traceIds }: TracesOfHours,
  columns: string,
  rest: { readonly sql: string; readonly args: readonly SqlValue[] },
): SqlValue[][] {
  const list = Array.from({ length: hours.last - hours.first + 1 }, (_, i) => hours.first + i).join(', ');
  const rows: SqlValue[][] = [];
  for (let start = 0; start < traceIds.length; start += CHUNK) {
    const ids = Array.from({ length: CHUNK }, (_, i) => traceIds[start + i] ?? null);
    rows.push(
      ...reader.rows(
        `SELECT ${columns} FROM events
         WHERE project = ? AND ts / ${HOUR_MS} IN (${list}) AND trace_id IN (${MARKS})${rest.sql}`,
        [project, ...ids, ...rest.args],
      ),
    );
  }
  return rows;
}
