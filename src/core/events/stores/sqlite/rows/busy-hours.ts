import type { Reader } from '../../../../../db/reader.ts';
import { DAY_MS, HOUR_MS } from '../../../../../lib/time.ts';
import type { Window } from '../../../selection.ts';
import type { RowSelection } from '../../log/scan/row-selection.ts';
import { labelEntries } from '../labels/label-entries.ts';
import { LABEL_ROLLUPS, type LabelRollup } from '../labels/label-rollup.ts';
import { type Where, whereOf } from './event-filters.ts';

const HOURS_PER_DAY = DAY_MS / HOUR_MS;
const [LABEL_DAYS, LABEL_HOURS] = LABEL_ROLLUPS;

/** Whether the roll-ups can locate the events of a selection. */
export const narrowsHours = ({ filters: { userId, sessionId, ...rest } }: RowSelection): boolean =>
  Object.values(rest).some((value) => value !== undefined);

/**
 * The hours of a window with matching events, newest first, clipped to the window, so that a page of rare events
 * skips the rows between them. Uses the filters that the roll-ups support. Lazy: reads a day only if the later days
 * were not enough.
 */
export function* busyHours(
  reader: Reader,
  project: number,
  selection: RowSelection,
  window: Window,
): Generator<Window> {
  const where = inRollups(selection);
  const [firstDay, lastDay] = [Math.floor(window.from / DAY_MS), Math.floor(window.to / DAY_MS)];
  const ofDays = withLabel(reader, project, selection, {
    rollup: LABEL_DAYS,
    from: firstDay,
    to: lastDay + 1,
  });
  const days = reader.rows(
    `SELECT DISTINCT day FROM rollup_days WHERE project = ? AND day >= ? AND day <= ?${where.sql}${ofDays.sql} ORDER BY day DESC`,
    [project, firstDay, lastDay, ...where.args, ...ofDays.args],
  );
  for (const [day] of days) {
    const first = Number(day) * HOURS_PER_DAY;
    const last = first + HOURS_PER_DAY - 1;
    const ofHours = withLabel(reader, project, selection, { rollup: LABEL_HOURS, from: first, to: last + 1 });
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

/** The part of a selection that the roll-ups support. */
function inRollups({ filters, calls }: RowSelection): Where {
  const { userId: _, sessionId: __, keyId: ___, tag: ____, labels: _____, costStatus, ...known } = filters;
  const where = whereOf({ filters: known, calls });
  return costStatus === 'unpriced' ? { ...where, sql: `${where.sql} AND unpriced > 0` } : where;
}

/** Restricts to times at which a call has one of the labels; their sums cover calls only. */
function withLabel(
  reader: Reader,
  project: number,
  { filters: { labels }, calls }: RowSelection,
  span: Window & { readonly rollup: LabelRollup },
): Where {
  if (labels === undefined || !calls) return { sql: '', args: [] };
  const wanted = new Set(labels);
  const times = new Set<number>();
  for (const { time, columns } of labelEntries(reader, project, span, []))
    if (columns[0]?.some((label) => wanted.has(label))) times.add(time);
  const sql = ` AND ${span.rollup.column} IN (SELECT value FROM json_each(?))`;
  return { sql, args: [JSON.stringify([...times])] };
}
