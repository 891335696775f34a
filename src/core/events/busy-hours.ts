import type { Reader } from '../../db/reader.ts';
import { DAY_MS, HOUR_MS } from '../../lib/time.ts';
import { IN_LABELS, type Selection, type Where, type Window, whereOf } from './event-filters.ts';

const HOURS_PER_DAY = DAY_MS / HOUR_MS;

/** True when the roll-ups can tell where the events of a selection are. */
export const narrowsHours = ({ filters: { userId, sessionId, ...rest } }: Selection): boolean =>
  Object.values(rest).some((value) => value !== undefined);

/**
 * The hours of a window in which matching events lie, newest first, cut to the window: so that a page of
 * rare events does not read the rows between them. The roll-ups say which, as far as they know the
 * filters. Lazy: a day is looked at when the one after it was not enough.
 */
export function* busyHours(
  reader: Reader,
  project: number,
  selection: Selection,
  window: Window,
): Generator<Window> {
  const where = inRollups(selection);
  const [firstDay, lastDay] = [Math.floor(window.from / DAY_MS), Math.floor(window.to / DAY_MS)];
  const ofDays = withLabel(selection, 'rollup_labels', 'day', [project, firstDay, lastDay]);
  const days = reader.rows(
    `SELECT DISTINCT day FROM rollup_days WHERE project = ? AND day >= ? AND day <= ?${where.sql}${ofDays.sql} ORDER BY day DESC`,
    [project, firstDay, lastDay, ...where.args, ...ofDays.args],
  );
  for (const [day] of days) {
    const first = Number(day) * HOURS_PER_DAY;
    const last = first + HOURS_PER_DAY - 1;
    const ofHours = withLabel(selection, 'rollup_label_hours', 'hour', [project, first, last]);
    const hours = reader.rows(
      `SELECT DISTINCT hour FROM rollup_hours WHERE project = ? AND hour >= ? AND hour <= ?${where.sql}${ofHours.sql} ORDER BY hour DESC`,
      [project, first, last, ...where.args, ...ofHours.args],
    );
    for (const [hour] of hours) {
      const from = Math.max(window.from, Number(hour) * HOUR_MS);
      const to = Math.min(window.to, (Number(hour) + 1) * HOUR_MS);
      if (from < to) yield { from, to };
    }
  }
}

/** What of a selection the roll-ups know. */
function inRollups({ filters, calls }: Selection): Where {
  const { userId: _, sessionId: __, keyId: ___, tag: ____, labels: _____, costStatus, ...known } = filters;
  const where = whereOf({ filters: known, calls });
  return costStatus === 'unpriced' ? { ...where, sql: `${where.sql} AND unpriced > 0` } : where;
}

/** The times at which a call has one of the labels; their sums are of calls only. */
function withLabel(
  { filters: { labels }, calls }: Selection,
  table: string,
  column: string,
  span: readonly number[],
): Where {
  if (labels === undefined || !calls) return { sql: '', args: [] };
  const times = `SELECT ${column} FROM ${table} WHERE project = ? AND ${column} >= ? AND ${column} <= ? AND ${IN_LABELS}`;
  return { sql: ` AND ${column} IN (${times})`, args: [...span, JSON.stringify(labels)] };
}
