import type { Reader } from '../../db/reader.ts';
import { isRolledUp, type Selection, type Window, whereOf } from './event-filters.ts';
import { FROM_TIMES, sessionTimes } from './session-times.ts';
import { RAW_ROWS, splitForRows } from './split-window.ts';
import { countOfUser } from './user-chunks.ts';

/** How many stored events match: from the roll-ups where they know the filters, else from the rows. */
export function countEvents(reader: Reader, selection: Selection, window: Window): number {
  const where = whereOf(selection);
  const { userId, sessionId } = selection.filters;
  const rolledUp = isRolledUp(selection.filters);
  let count = 0;
  for (const project of reader.projects) {
    if (sessionId !== undefined) {
      const times = sessionTimes(reader, project, [sessionId], window).get(sessionId);
      const [row] = reader.rows(`SELECT count(*) ${FROM_TIMES}${where.sql}`, [
        JSON.stringify(times),
        project,
        ...where.args,
      ]);
      count += Number(row?.[0] ?? 0);
      continue;
    }
    if (userId !== undefined) {
      count += countOfUser(reader, { project, userId, window }, selection);
      continue;
    }
    const parts = rolledUp ? splitForRows(reader, project, window) : [{ source: RAW_ROWS, ...window }];
    for (const { source, from, to } of parts) {
      const { table, column } = source;
      const [row] = reader.rows(
        `SELECT ${table === 'events' ? 'count(*)' : 'total(requests)'} FROM ${table}
         WHERE project = ? AND ${column} >= ? AND ${column} < ?${where.sql}`,
        [project, from, to, ...where.args],
      );
      count += Number(row?.[0] ?? 0);
    }
  }
  return count;
}
