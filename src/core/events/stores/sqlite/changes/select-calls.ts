import type { SqlValue } from '../../../../../db/connection.ts';
import type { Reader } from '../../../../../db/reader.ts';
import { HOUR_MS } from '../../../../../lib/time.ts';
import type { CallSelection } from '../../../change.ts';
import { COST_STATUS, IS_CALL_KIND } from '../rows/numbers.ts';

/** The last event examined: its time and its id in hex. */
export type Position = readonly [ts: number, id: string];

/** Columns that a re-pricing reads. `usage` and `metadata` are null if nothing in them affects the price. */
export const CALL_COLUMNS = [
  'ts',
  'event_id',
  'provider',
  'model',
  'status',
  'fresh_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
  'cache_write_1h_tokens',
  'output_tokens',
  'reasoning_tokens',
  'cost_nano',
  'cost_status',
  'price',
  'is_call',
  'detail',
] as const;
/** Most details do not affect the price, and parsing all of them would take most of the time. */
const PRICED_DETAIL = `iif(detail LIKE '%service_tier%' OR detail LIKE '%audio_tokens%' OR detail LIKE '%web_search%',
  detail, NULL)`;
const COLUMNS = CALL_COLUMNS.map((column) => (column === 'detail' ? PRICED_DETAIL : column)).join(', ');

/** Maximum number of calls read at once. */
const ROWS_AT_ONCE = 500;

/**
 * The next calls of a selection by time and id, as `CALL_COLUMNS`; empty at the end. Skips hours without matches in
 * the roll-ups. Spans represented by another span are included: they keep a cost in case they count later.
 */
export function readCalls(reader: Reader, calls: CallSelection, after: Position | null): SqlValue[][] {
  const [project = 0] = reader.projects;
  const where = conditionsOf(calls);
  let from = after === null ? calls.from : after[0];
  for (;;) {
    const hour = nextHour(reader, calls, from);
    if (hour === null) return [];
    from = Math.max(from, hour * HOUR_MS);
    const to = Math.min(calls.to, (hour + 1) * HOUR_MS);
    const past = after !== null && after[0] >= from ? after : null;
    const rows = reader.rows(
      `SELECT ${COLUMNS} FROM events WHERE project = ? AND ts >= ? AND ts < ? AND ${IS_CALL_KIND}
         ${where.rows}${past === null ? '' : ' AND (ts, event_id) > (?, ?)'}
       ORDER BY ts, event_id LIMIT ${ROWS_AT_ONCE}`,
      [project, from, to, ...where.args, ...(past === null ? [] : [past[0], Uint8Array.fromHex(past[1])])],
    );
    if (rows.length > 0) return rows;
    from = to;
  }
}

/** Number of the first hour, from an instant on, that has selected calls; null if there is none. */
function nextHour(reader: Reader, calls: CallSelection, from: number): number | null {
  if (from >= calls.to) return null;
  const where = conditionsOf(calls);
  const [row] = reader.rows(
    `SELECT hour FROM rollup_hours WHERE project = ? AND hour >= ? AND hour < ? AND ${IS_CALL_KIND}${where.rollup}
     ORDER BY hour LIMIT 1`,
    [reader.projects[0] ?? 0, Math.floor(from / HOUR_MS), Math.ceil(calls.to / HOUR_MS), ...where.args],
  );
  return row === undefined ? null : Number(row[0]);
}

/** The filters for rows and for roll-ups, with the same arguments. */
function conditionsOf(calls: CallSelection): { rows: string; rollup: string; args: string[] } {
  const given = (['provider', 'model', 'environment'] as const).filter((name) => calls[name] !== undefined);
  const named = given.map((name) => ` AND ${name} = ?`).join('');
  const stated = calls.clientCosts ? '' : ` AND cost_status <> ${COST_STATUS.client}`;
  const status = calls.unpricedOnly ? ` AND cost_status = ${COST_STATUS.unpriced}` : stated;
  return {
    rows: `${named}${status}`,
    rollup: `${named}${calls.unpricedOnly ? ' AND unpriced > 0' : ''}`,
    args: given.map((name) => calls[name] ?? ''),
  };
}
