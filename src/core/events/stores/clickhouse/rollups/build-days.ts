import { DAY_MS, HOUR_MS } from '../../../../../lib/time.ts';
import { SUM_NAMES } from '../../../measures.ts';
import type { Engine } from '../engine/engine.ts';
import { int, ints, join, raw, sql } from '../engine/sql.ts';
import { SUMS } from '../metrics/read-calls.ts';

/** How long after its end a day is summed. */
const WAIT_MS = 2 * HOUR_MS;

type StaleDay = { readonly day: number; readonly marks: number; readonly built: number };
type Building = { readonly now: number; readonly signal: AbortSignal };

/** Sums up the days of a project that are over and have no current sums. Returns their number. */
export async function buildDays(engine: Engine, project: number, { now, signal }: Building): Promise<number> {
  const days = await staleDays(engine, project, Math.floor((now - WAIT_MS) / DAY_MS));
  for (const day of days) {
    signal.throwIfAborted();
    await buildDay(engine, project, day);
  }
  return days.length;
}

/** The days before one that have events and no sums, or more marks than when they were summed. */
function staleDays(engine: Engine, project: number, before: number): Promise<StaleDay[]> {
  const own = sql`project IN ${ints([project])}`;
  return engine.read<StaleDay>(
    [project],
    sql`SELECT day, marked AS marks, build.1 AS built FROM (
        SELECT DISTINCT toInt32(intDiv(ts, ${int(DAY_MS)})) AS day FROM events WHERE ${own} AND ts < ${int(before * DAY_MS)}
        UNION DISTINCT SELECT DISTINCT day FROM rollup_builds WHERE ${own} AND day < ${int(before)}
      ) AS days LEFT JOIN (
        SELECT day, sum(marks) AS marked FROM rollup_marks WHERE ${own} GROUP BY day
      ) AS day_marks USING (day) LEFT JOIN (
        SELECT day, max((built, marks)) AS build FROM rollup_builds WHERE ${own} GROUP BY day
      ) AS day_builds USING (day) WHERE build.1 = 0 OR build.2 != marked ORDER BY day`,
  );
}

/**
 * The rows come first, then the build that makes them count: what a crash leaves between is never read. The rows of the
 * build before stay for those who are about to read them; older ones are deleted.
 */
async function buildDay(engine: Engine, project: number, { day, marks, built }: StaleDay): Promise<void> {
  const own = sql`project IN ${ints([project])} AND day = ${int(day)}`;
  if (built > 0) await engine.run(sql`DELETE FROM rollup_days WHERE ${own} AND built != ${int(built)}`);
  const next = Math.max(built + 1, Date.now() * 1_024 + Math.floor(Math.random() * 1_024));
  const columns = ['kind', 'is_call', 'status', 'provider', 'model', 'environment', 'error_code'];
  const keys = raw(columns.join(', '));
  await engine.run(
    sql`INSERT INTO rollup_days (project, day, built, ${keys}, ${raw(SUM_NAMES.join(', '))})
      SELECT toUInt32(${int(project)}), toInt32(${int(day)}), toUInt64(${int(next)}), ${keys}, ${join(
        SUM_NAMES.map((name) => sql`toInt64(${SUMS[name]})`),
        ', ',
      )}
      FROM events FINAL WHERE project IN ${ints([project])} AND ts >= ${int(day * DAY_MS)} AND ts < ${int((day + 1) * DAY_MS)}
        AND (is_call OR kind = 'guardrail') GROUP BY ${keys}`,
  );
  await engine.insert('rollup_builds', [{ project, day, built: next, marks }]);
}
