import type { Reader } from '../../../../../db/reader.ts';
import { DAY_MS } from '../../../../../lib/time.ts';

/** The start of the first UTC day on which the scope has events, in epoch milliseconds; null without any. */
export function firstDay(reader: Reader): number | null {
  const days = reader.projects.flatMap((project) => {
    const [row] = reader.rows('SELECT min(day) FROM rollup_days WHERE project = ?', [project]);
    const day = row?.[0] ?? null;
    return day === null ? [] : [Number(day)];
  });
  return days.length === 0 ? null : Math.min(...days) * DAY_MS;
}
