import type { SqlValue } from '../../../../../db/connection.ts';
import type { Division } from '../../../../../lib/time-buckets.ts';
import { EVENT_STATUSES, type EventStatus } from '../../../contract.ts';
import type { Sum } from '../../../measures.ts';
import { FAILED_STATUSES } from '../../../selection.ts';
import { whereOf } from '../sums/sum-filters.ts';
import { rolledColumn } from './dimensions.ts';
import type { Plan } from './metrics-plan.ts';
import type { Rollup, SumsPart } from './split-window.ts';

const STATUSES: Partial<Record<Sum, readonly EventStatus[]>> = {
  errors: FAILED_STATUSES,
  timeouts: ['timeout'],
  rate_limited: ['rate_limited'],
  cancelled: ['cancelled'],
};

/** A sum over roll-up entries, from its column or from the columns and entries that make it up. */
export function rollupSum(sum: Sum): string {
  const statuses = STATUSES[sum]?.map((status) => EVENT_STATUSES.indexOf(status));
  if (statuses !== undefined) return `total(iif(status IN (${statuses.join(', ')}), requests, 0))`;
  return sum === 'input_tokens'
    ? 'total(fresh_tokens + cache_read_tokens + cache_write_tokens)'
    : `total(${sum})`;
}

/** The grouping keys of a plan as expressions over a part's table. @param bucket the number of the only bucket, if known */
export function rollupKeys(
  { division, dimensions }: Plan,
  { rollup }: SumsPart,
  bucket: number | null,
): string[] {
  const time = division === null ? [] : [bucket === null ? bucketSql(division, rollup) : `${bucket}`];
  return [...time, ...dimensions.map(rolledColumn)];
}

/** The number of an entry's bucket. */
function bucketSql({ fixed }: Division, { column, ms }: Rollup): string {
  if (fixed === null) throw new Error('listed buckets are read one by one');
  const shifted = fixed.shift === 0 ? column : `(${column} + ${fixed.shift / ms})`;
  return fixed.ms === ms ? shifted : `${shifted} / ${fixed.ms / ms}`;
}

/** GROUP BY the first columns. */
export const groupBySql = (keys: readonly string[]): string =>
  keys.length === 0 ? '' : `GROUP BY ${keys.map((_, i) => i + 1).join(', ')}`;

/** Maximum number of hours or days that are listed individually. */
const MAX_PROBES = 10_000;

/**
 * FROM and WHERE over the entries of a part. With a filter by status, each hour or day is listed instead of a range,
 * so that SQLite can also search key columns after the time.
 */
export function fromRollup(
  { filters }: Plan,
  project: number,
  { rollup, from, to }: SumsPart,
): { sql: string; args: SqlValue[] } {
  const where = whereOf({ filters, calls: true });
  const lists = filters.status !== undefined && to - from <= MAX_PROBES;
  const time = lists ? 'IN (SELECT value FROM json_each(?))' : `>= ? AND ${rollup.column} < ?`;
  const times = lists ? [JSON.stringify(Array.from({ length: to - from }, (_, i) => from + i))] : [from, to];
  return {
    sql: `FROM ${rollup.table} WHERE project = ? AND ${rollup.column} ${time}${where.sql}`,
    args: [project, ...times, ...where.args],
  };
}
