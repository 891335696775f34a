import type { SqlValue } from '../../../../../db/connection.ts';
import { EVENT_STATUSES, type EventStatus } from '../../../contract.ts';
import type { Sum } from '../../../measures.ts';
import { FAILED_STATUSES } from '../../../selection.ts';
import { COST_STATUS, STATUS } from './numbers.ts';
import { C } from './row.ts';

type Row = readonly SqlValue[];

/** Contribution of one event to a sum: as SQL over its row, and as a function of the row in memory. */
type SumDef = { readonly sql: string; readonly of: (row: Row) => number };

const at = (row: Row, place: number): number => (row[place] as number | null) ?? 0;
const column = (name: keyof typeof C): SumDef => ({ sql: name, of: (row) => at(row, C[name]) });

/** Not Math.round: SQLite's round() adds a half and truncates, and both must agree on every value. */
const micros = (row: Row, place: number): number => Math.floor(at(row, place) * 1000 + 0.5);

const inputOf = (row: Row): number => at(row, C.fresh_tokens) + at(row, C.cache_read_tokens) + writtenOf(row);
const writtenOf = (row: Row): number => at(row, C.cache_write_tokens) + at(row, C.cache_write_1h_tokens);
const outputOf = (row: Row): number => at(row, C.output_tokens) + at(row, C.reasoning_tokens);
const hasTtft = (row: Row): boolean => row[C.ttft_ms] !== null && row[C.stream] === 1;
const ttftOf = (row: Row): number => (hasTtft(row) ? micros(row, C.ttft_ms) : 0);
const generates = (row: Row): boolean => row[C.latency_ms] !== null && outputOf(row) > 0;

/** All input tokens of a row: fresh, read from the cache and written to it. */
const INPUT = '(fresh_tokens + cache_read_tokens + cache_write_tokens + cache_write_1h_tokens)';
const OUTPUT = '(output_tokens + reasoning_tokens)';
const IS_UNPRICED = `cost_status = ${COST_STATUS.unpriced}`;
const isUnpriced = (row: Row): boolean => row[C.cost_status] === COST_STATUS.unpriced;

const STATUSES = {
  errors: FAILED_STATUSES,
  timeouts: ['timeout'],
  rate_limited: ['rate_limited'],
  cancelled: ['cancelled'],
} as const satisfies Partial<Record<Sum, readonly EventStatus[]>>;
type StatusSum = keyof typeof STATUSES;

const inStatus = (sum: StatusSum): string =>
  `status IN (${STATUSES[sum].map((status) => STATUS[status]).join(', ')})`;

function countOf(sum: StatusSum): SumDef {
  const counts = EVENT_STATUSES.map((status) => Number(STATUSES[sum].some((one) => one === status)));
  return { sql: inStatus(sum), of: (row) => counts[row[C.status] as number] ?? 0 };
}

/** The only definition of each sum over rows. Times are whole microseconds, so that sums are exact. */
const SUMS: Readonly<Record<Sum, SumDef>> = {
  requests: { sql: '1', of: () => 1 },
  errors: countOf('errors'),
  timeouts: countOf('timeouts'),
  rate_limited: countOf('rate_limited'),
  cancelled: countOf('cancelled'),
  cost_nano: column('cost_nano'),
  unpriced: { sql: IS_UNPRICED, of: (row) => (isUnpriced(row) ? 1 : 0) },
  unpriced_input_tokens: {
    sql: `iif(${IS_UNPRICED}, ${INPUT}, 0)`,
    of: (row) => (isUnpriced(row) ? inputOf(row) : 0),
  },
  unpriced_output_tokens: {
    sql: `iif(${IS_UNPRICED}, ${OUTPUT}, 0)`,
    of: (row) => (isUnpriced(row) ? outputOf(row) : 0),
  },
  input_tokens: { sql: INPUT, of: inputOf },
  fresh_tokens: column('fresh_tokens'),
  cache_read_tokens: column('cache_read_tokens'),
  cache_write_tokens: { sql: '(cache_write_tokens + cache_write_1h_tokens)', of: writtenOf },
  output_tokens: { sql: OUTPUT, of: outputOf },
  reasoning_tokens: column('reasoning_tokens'),
  latency_us: { sql: 'round(latency_ms * 1000)', of: (row) => micros(row, C.latency_ms) },
  latency_count: { sql: 'latency_ms IS NOT NULL', of: (row) => (row[C.latency_ms] === null ? 0 : 1) },
  ttft_us: { sql: 'iif(stream, round(ttft_ms * 1000), 0)', of: ttftOf },
  ttft_count: { sql: '(stream AND ttft_ms IS NOT NULL)', of: (row) => (hasTtft(row) ? 1 : 0) },
  generation_us: {
    sql: `iif(${OUTPUT} > 0,
      max(0, round(latency_ms * 1000) - iif(stream, ifnull(round(ttft_ms * 1000), 0), 0)), 0)`,
    of: (row) => (generates(row) ? Math.max(0, micros(row, C.latency_ms) - ttftOf(row)) : 0),
  },
  generation_tokens: {
    sql: `iif(latency_ms IS NOT NULL, ${OUTPUT}, 0)`,
    of: (row) => (generates(row) ? outputOf(row) : 0),
  },
};

/** Contribution of a row to a sum. */
export const addend = (sum: Sum): ((row: Row) => number) => SUMS[sum].of;

/** Contribution of a row to a sum, as SQL. */
export const rowValue = (sum: Sum): string => SUMS[sum].sql;

/** A sum over rows as SQL; total() cannot overflow. */
export const rawSum = (sum: Sum): string => (sum === 'requests' ? 'count(*)' : `total(${SUMS[sum].sql})`);

/** A sum over the calls among rows, as SQL. */
export const callSum = (sum: Sum): string =>
  sum === 'requests' ? 'total(is_call)' : `total(iif(is_call, ${SUMS[sum].sql}, 0))`;

/** A sum over roll-up entries as SQL, from its column or from the columns and entries that make it up. */
export function rollupSum(sum: Sum): string {
  if (sum in STATUSES) return `total(iif(${inStatus(sum as StatusSum)}, requests, 0))`;
  return sum === 'input_tokens'
    ? 'total(fresh_tokens + cache_read_tokens + cache_write_tokens)'
    : `total(${sum})`;
}
