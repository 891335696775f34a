import type { Reader } from '../../db/reader.ts';
import { DAY_MS, HOUR_MS } from '../../lib/time.ts';
import { type Selection, type Window, whereOf } from './event-filters.ts';

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
  const filters = { ...selection.filters, userId: undefined, sessionId: undefined };
  const where = whereOf({ filters, calls: selection.calls });
  const days = reader.rows(
    `SELECT DISTINCT day FROM rollup_days WHERE project = ? AND day >= ? AND day <= ?${where.sql} ORDER BY day DESC`,
    [project, Math.floor(window.from / DAY_MS), Math.floor(window.to / DAY_MS), ...where.args],
  );
  for (const [day] of days) {
    const first = Number(day) * HOURS_PER_DAY;
    const hours = reader.rows(
      `SELECT DISTINCT hour FROM rollup_hours WHERE project = ? AND hour >= ? AND hour < ?${where.sql} ORDER BY hour DESC`,
      [project, first, first + HOURS_PER_DAY, ...where.args],
    );
    for (const [hour] of hours) {
      const from = Math.max(window.from, Number(hour) * HOUR_MS);
      const to = Math.min(window.to, (Number(hour) + 1) * HOUR_MS);
      if (from < to) yield { from, to };
    }
  }
}
