import { DAY_MS } from '../../../../../lib/time.ts';
import type { Engine } from '../engine/engine.ts';
import { int, ints, type Sql, sql, texts } from '../engine/sql.ts';
import { IS_EVENT } from '../reads/conditions.ts';
import { MAY_BE_LINKED, type MaybePlaced, placeAll } from './place-events.ts';

/** Events that are updated together. */
const AT_ONCE = 5_000;
/** No limit: what is left out here would be lost. */
const MOST = Number.MAX_SAFE_INTEGER - 1;

/**
 * Notes the places of all events of some traces, because events of them are about to be forgotten. Doing it again
 * changes nothing.
 * @param forgotten a condition on the events that are about to be forgotten
 */
export async function keepLinks(
  engine: Engine,
  project: number,
  forgotten: Sql,
  signal: AbortSignal,
): Promise<void> {
  const own = sql`project IN ${ints([project])} AND ${forgotten} AND ${IS_EVENT} AND ${MAY_BE_LINKED} AND link = ''`;
  const day = sql`intDiv(ts, ${int(DAY_MS)})`;
  const days = await engine.read<{ day: number }>(
    [project],
    sql`SELECT DISTINCT ${day} AS day FROM events FINAL WHERE ${own} ORDER BY day`,
  );
  for (const { day: number } of days) {
    signal.throwIfAborted();
    const window = { from: (number - 1) * DAY_MS, to: (number + 2) * DAY_MS };
    const [placed, traces] = await Promise.all([
      placeAll(engine, [project], window, { sums: false, most: MOST }),
      engine.read<{ trace_id: string }>(
        [project],
        sql`SELECT DISTINCT trace_id FROM events FINAL WHERE ${own} AND ts >= ${int(number * DAY_MS)} AND ts < ${int((number + 1) * DAY_MS)}`,
      ),
    ]);
    const cut = new Set(traces.map(({ trace_id }) => trace_id));
    const kept = placed.filter(({ row }) => row.link === '' && cut.has(row.trace_id));
    for (let at = 0; at < kept.length; at += AT_ONCE)
      await note(engine, project, kept.slice(at, at + AT_ONCE));
  }
}

async function note(engine: Engine, project: number, placed: readonly MaybePlaced[]): Promise<void> {
  const times = placed.map(({ row }) => row.ts);
  const ids = placed.map(({ row }) => row.event_id);
  const links = placed.map(({ link }) => JSON.stringify(link));
  await engine.run(
    sql`UPDATE events SET link = transform(toString(event_id), array${texts(ids)}, array${texts(links)}, toString(link))
      WHERE project IN ${ints([project])} AND ts >= ${int(Math.min(...times))} AND ts <= ${int(Math.max(...times))}
        AND event_id IN ${texts(ids)}`,
    { enable_lightweight_update: 1 },
  );
}
