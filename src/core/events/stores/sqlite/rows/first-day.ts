import type { Reader } from '../../../../../db/reader.ts';
import { DAY_MS } from '../../../../../lib/time.ts';
import type { StoredSpan } from '../../../read-queries.ts';

/** The times of the scope's first day with events and of its newest event. */
export const readSpan = (reader: Reader): StoredSpan => ({
  firstDay: firstDay(reader),
  newest: newestEvent(reader),
});

/** The start of the first UTC day on which the scope has events, in epoch milliseconds; null without any. */
function firstDay(reader: Reader): number | null {
  const days = reader.projects.flatMap((project) => {
    const [row] = reader.rows('SELECT min(day) FROM rollup_days WHERE project = ?', [project]);
    const day = row?.[0] ?? null;
    return day === null ? [] : [Number(day)];
  });
  return days.length === 0 ? null : Math.min(...days) * DAY_MS;
}

function newestEvent(reader: Reader): number | null {
  const times = reader.projects.flatMap((project) => {
    const [row] = reader.rows('SELECT max(ts) FROM events WHERE project = ?', [project]);
    return row?.[0] == null ? [] : [Number(row[0])];
  });
  return times.length === 0 ? null : Math.max(...times);
}
