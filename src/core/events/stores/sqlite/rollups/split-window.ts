import type { Reader } from '../../../../../db/reader.ts';
import { HOUR_MS } from '../../../../../lib/time.ts';
import type { Window } from '../../../selection.ts';
import { ROLLUP_DAYS, ROLLUP_HOURS, ROLLUPS, type RollupTable } from './rollup.ts';

/** Raw rows, whose time is in milliseconds, or a roll-up. */
export type Source = RollupTable | typeof RAW_ROWS;
export const RAW_ROWS = { table: 'events', column: 'ts', ms: 1 } as const;

/**
 * A part of a window and the table that covers it. Bounds are in the unit of the table's column. `sign` -1: subtract
 * this part.
 */
export type Part = {
  readonly source: Source;
  readonly from: number;
  readonly to: number;
  readonly sign: 1 | -1;
};

/**
 * Splits a window into whole days, whole hours, five-minute slots and the remaining edges, so that each event counts
 * exactly once.
 * @param coarsest longest time that one entry may cover, in milliseconds; 1 for raw rows only
 */
export function splitWindow(reader: Reader, project: number, window: Window, coarsest: number): Part[] {
  const rollups = ROLLUPS.filter(({ ms }) => ms <= coarsest);
  return splitBy(reader, project, window, rollups);
}

/** Like `splitWindow`, for sums by days and hours only; less than an hour remains at each edge. */
export function splitByHours(reader: Reader, project: number, window: Window): Part[] {
  return splitBy(reader, project, window, [ROLLUP_DAYS, ROLLUP_HOURS]);
}

/** Like `splitWindow`, for sums by days only. */
export function splitByDays(reader: Reader, project: number, window: Window): Part[] {
  return splitBy(reader, project, window, [ROLLUP_DAYS]);
}

function splitBy(reader: Reader, project: number, window: Window, rollups: readonly RollupTable[]): Part[] {
  const finest = rollups.at(-1);
  if (finest === undefined) return split(window.from, window.to, []);
  const complete = rowsFrom(reader, project);
  const { from, to } = widen(reader, project, overDeleted(window, Math.max(HOUR_MS, finest.ms), complete));
  return split(from, to, rollups).flatMap((part) => shorterWay(part, finest, complete));
}

/**
 * Like `splitWindow`, for counting stored rows. Roll-ups also contain rows that retention deleted, so where it has
 * run, rows that arrived late are counted individually.
 */
export function splitForRows(reader: Reader, project: number, { from, to }: Window): Part[] {
  const complete = rowsFrom(reader, project);
  const whole = widen(reader, project, { from: Math.max(from, complete), to });
  return [...split(from, Math.min(to, complete), []), ...split(Math.max(from, complete), whole.to, ROLLUPS)];
}

/**
 * Time from which all rows are still stored, in epoch milliseconds. Before it retention has deleted rows, and a few
 * late arrivals may remain. 0 if nothing was deleted.
 */
export function rowsFrom(reader: Reader, project: number): number {
  const [row] = reader.rows('SELECT ts FROM rows_from WHERE project = ?', [project]);
  return Number(row?.[0] ?? 0);
}

/**
 * Extends a window's bounds to whole hours or days where rows are deleted, because only the sums remain there.
 * @param ms unit of the finest sums that outlive rows
 * @param complete result of `rowsFrom`
 */
export function overDeleted({ from, to }: Window, ms: number, complete: number): Window {
  if (from >= to) return { from, to };
  const lastStart = Math.floor(to / ms) * ms;
  return {
    from: from < complete ? Math.floor(from / ms) * ms : from,
    to: Math.max(from, lastStart) < complete ? Math.ceil(to / ms) * ms : to,
  };
}

/**
 * Replaces rows of more than half a slot (or half an entry of the finest roll-up) by the whole entry minus the rest.
 * Not for a slot with deleted rows, which the roll-up still contains.
 */
function shorterWay(part: Part, finest: RollupTable, complete: number): Part[] {
  const { source, from, to } = part;
  const slot = Math.floor(from / finest.ms);
  const [start, end] = [slot * finest.ms, (slot + 1) * finest.ms];
  if (source.table !== 'events' || to - from <= finest.ms / 2 || to > end || complete > start) return [part];
  const rest = { source: RAW_ROWS, sign: -1 } as const;
  const parts: readonly Part[] = [
    { source: finest, from: slot, to: slot + 1, sign: 1 },
    { ...rest, from: start, to: from },
    { ...rest, from: to, to: end },
  ];
  return parts.filter((one) => one.from < one.to);
}

function split(from: number, to: number, [rollup, ...finer]: readonly RollupTable[]): Part[] {
  if (from >= to) return [];
  if (rollup === undefined) return [{ source: RAW_ROWS, from, to, sign: 1 }];
  const first = Math.ceil(from / rollup.ms);
  const end = Math.floor(to / rollup.ms);
  if (first >= end) return split(from, to, finer);
  return [
    ...split(from, first * rollup.ms, finer),
    { source: rollup, from: first, to: end, sign: 1 },
    ...split(end * rollup.ms, to, finer),
  ];
}

/**
 * Extends a window's bounds to whole slots, then hours, then days, if no event lies in between. So a window that ends
 * now is read without rows.
 */
function widen(reader: Reader, project: number, window: Window): Window {
  if (window.from >= window.to) return window;
  let { from, to } = window;
  let finer: Source = RAW_ROWS;
  for (const rollup of [...ROLLUPS].reverse()) {
    const { table, column, ms: unit } = finer;
    const sql = `SELECT 1 FROM ${table} WHERE project = ? AND ${column} >= ? AND ${column} < ? LIMIT 1`;
    const isEmpty = (start: number, end: number): boolean =>
      start >= end || reader.rows(sql, [project, start / unit, end / unit]).length === 0;
    const start = Math.floor(from / rollup.ms) * rollup.ms;
    const end = Math.ceil(to / rollup.ms) * rollup.ms;
    if (from % unit === 0 && isEmpty(start, from)) from = start;
    if (to % unit === 0 && isEmpty(to, end)) to = end;
    finer = rollup;
  }
  return { from, to };
}

/** A condition with its arguments. */
type TimeCondition = { readonly sql: string; readonly args: readonly (string | number)[] };

/** Maximum number of time values that are listed individually. */
const MAX_PROBES = 10_000;

/**
 * The time range of a part as a condition on its table.
 * @param probe lists each hour or day instead of a range, so that SQLite can also search key columns after the time;
 * for rare values, such as one status
 */
export function timeSql({ source, from, to }: Part, probe: boolean): TimeCondition {
  if (!probe || source.table === 'events' || to - from > MAX_PROBES) {
    return { sql: `${source.column} >= ? AND ${source.column} < ?`, args: [from, to] };
  }
  const list = JSON.stringify(Array.from({ length: to - from }, (_, i) => from + i));
  return { sql: `${source.column} IN (SELECT value FROM json_each(?))`, args: [list] };
}
