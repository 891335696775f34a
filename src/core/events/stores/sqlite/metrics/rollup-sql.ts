import type { SqlValue } from '../../../../../db/connection.ts';
import type { Division } from '../../../../../lib/time-buckets.ts';
import { EVENT_STATUSES, type EventStatus } from '../../../contract.ts';
import { areOfGuardrails, type Sum } from '../../../measures.ts';
import { FAILED_STATUSES } from '../../../selection.ts';
import { rolledColumn } from '../../shared/metrics/dimensions.ts';
import { GUARDRAIL_CODES } from '../scan/mixed-sums.ts';
import { IS_GUARDRAIL, whereOf } from '../sums/sum-filters.ts';
import type { Plan } from './metrics-plan.ts';
import type { Rollup, SumsPart } from './split-window.ts';

const STATUSES: Partial<Record<Sum, readonly EventStatus[]>> = {
  errors: FAILED_STATUSES,
  timeouts: ['timeout'],
  rate_limited: ['rate_limited'],
  cancelled: ['cancelled'],
};

/**
 * Some sums over roll-up entries as expressions, from their columns or from the columns and entries that make them up.
 * If some are of guardrails, the entries are theirs and those of calls.
 */
export function rollupSums(sums: readonly Sum[]): string[] {
  const isMixed = areOfGuardrails(sums);
  return sums.map((sum) => {
    const ofGuardrails = guardrailCondition(sum);
    if (ofGuardrails !== null) return `total(iif(${ofGuardrails}, requests, 0))`;
    const value = callValue(sum);
    return isMixed ? `total(iif(is_call = 1, ${value}, 0))` : `total(${value})`;
  });
}

function callValue(sum: Sum): string {
  const statuses = STATUSES[sum]?.map((status) => EVENT_STATUSES.indexOf(status));
  if (statuses !== undefined) return `iif(status IN (${statuses.join(', ')}), requests, 0)`;
  return sum === 'input_tokens' ? 'fresh_tokens + cache_read_tokens + cache_write_tokens' : sum;
}

/** The entries that a sum of guardrails counts; null for a sum of calls. */
function guardrailCondition(sum: Sum): string | null {
  if (sum === 'guardrail_checks') return IS_GUARDRAIL;
  const code = GUARDRAIL_CODES[sum];
  return code === undefined ? null : `${IS_GUARDRAIL} AND error_code = '${code}'`;
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
  { filters }: Pick<Plan, 'filters'>,
  project: number,
  { rollup, from, to }: SumsPart,
  guardrails = false,
): { sql: string; args: SqlValue[] } {
  const where = whereOf({ filters, calls: true, guardrails });
  const lists = filters.status !== undefined && to - from <= MAX_PROBES;
  const time = lists ? 'IN (SELECT value FROM json_each(?))' : `>= ? AND ${rollup.column} < ?`;
  const times = lists ? [JSON.stringify(Array.from({ length: to - from }, (_, i) => from + i))] : [from, to];
  return {
    sql: `FROM ${rollup.table} WHERE project = ? AND ${rollup.column} ${time}${where.sql}`,
    args: [project, ...times, ...where.args],
  };
}
