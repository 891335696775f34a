import { DAY_MS } from '../../../../../lib/time.ts';
import type { Link } from '../../../link-tree.ts';
import type { Engine } from '../../clickhouse/engine/engine.ts';
import { int, nothing, type Sql, sql, text } from '../../clickhouse/engine/sql.ts';
import { placeAll } from '../../clickhouse/links/place-events.ts';
import { EVENT_COLUMNS } from '../../clickhouse/rows/to-event.ts';
import { dayIs, projectIs } from '../target.ts';
import type { MovedRow } from './packed-row.ts';
import type { WorkFile } from './work-file.ts';

/** Events of a segment. */
const AT_ONCE = 16_000;
/** No limit. */
const MOST = Number.MAX_SAFE_INTEGER - 1;

type CopyBack = {
  readonly engine: Engine;
  readonly work: WorkFile;
  /** Numbers of the projects. */
  readonly projects: readonly number[];
  readonly signal: AbortSignal;
  readonly onEvents: (copied: number) => void;
};

type EngineDay = { readonly day: number; readonly events: number; readonly hash: string };

/** How many rows a project has. */
export async function rowsOfProject(engine: Engine, project: number): Promise<number> {
  const [row] = await engine.read<{ events: number }>(
    [project],
    sql`SELECT count() AS events FROM events FINAL WHERE ${projectIs(project)}`,
  );
  return row?.events ?? 0;
}

/** The numbers of all projects with rows. */
export async function projectsIn(engine: Engine): Promise<number[]> {
  const rows = await engine.read<{ project: number }>([], sql`SELECT DISTINCT project FROM events`);
  return rows.map(({ project }) => project);
}

/** Copies all days into the file that are not there as they are now. Returns the number of copied events. */
export async function copyBack({ engine, work, projects, signal, onEvents }: CopyBack): Promise<number> {
  const stamps = work.stamps();
  let copied = 0;
  for (const project of projects) {
    const days = await daysOf(engine, project);
    for (const [key] of stamps) {
      const [own, day] = key.split(' ').map(Number) as [number, number];
      if (own === project && !days.has(day))
        await work.replaceDay({ project, day, stamp: '' }, async () => {});
    }
    for (const [day, stamp] of days) {
      if (stamps.get(`${project} ${day}`) === stamp) continue;
      signal.throwIfAborted();
      await work.replaceDay({ project, day, stamp }, async (add) => {
        const links = await linksOf(engine, project, day);
        for (const isKept of [true, false])
          for (let after: MovedRow | null | undefined = null; after !== undefined; ) {
            signal.throwIfAborted();
            const rows: MovedRow[] = await readRows(engine, { project, day, isKept, after });
            add(rows, links, isKept);
            copied += rows.length;
            onEvents(copied);
            after = rows.length < AT_ONCE ? undefined : rows.at(-1);
          }
      });
    }
  }
  return copied;
}

/** What each day is made of, and the days beside it: the graph of agents depends on them too. */
async function daysOf(engine: Engine, project: number): Promise<Map<number, string>> {
  const rows = await engine.read<EngineDay>(
    [project],
    sql`SELECT intDiv(ts, ${int(DAY_MS)}) AS day, count() AS events,
        toString(sum(cityHash64(toString(tuple(* EXCEPT (version, is_deleted)))))) AS hash
      FROM events FINAL WHERE ${projectIs(project)} GROUP BY day ORDER BY day`,
  );
  const own = new Map(rows.map(({ day, events, hash }) => [day, `${events}.${hash}`]));
  return new Map(
    [...own].map(([day, stamp]) => [
      day,
      Bun.hash([own.get(day - 1), stamp, own.get(day + 1)].join()).toString(36),
    ]),
  );
}

async function linksOf(engine: Engine, project: number, day: number): Promise<Map<string, Link>> {
  const window = { from: day * DAY_MS, to: (day + 1) * DAY_MS };
  const placed = await placeAll(engine, [project], window, { sums: true, most: MOST });
  return new Map(placed.flatMap(({ row, link }) => (link === null ? [] : [[row.event_id, link] as const])));
}

type Page = {
  readonly project: number;
  readonly day: number;
  readonly isKept: boolean;
  readonly after: MovedRow | null;
};

function readRows(engine: Engine, { project, day, isKept, after }: Page): Promise<MovedRow[]> {
  const next: Sql =
    after === null
      ? nothing
      : sql`AND (ts, toString(event_id)) > (${int(after.ts)}, ${text(after.event_id)})`;
  return engine.read<MovedRow>(
    [project],
    sql`SELECT ${EVENT_COLUMNS}, tags, is_kept FROM events FINAL
      WHERE ${dayIs(project, day)} AND is_kept = ${int(Number(isKept))} ${next}
      ORDER BY ts, toString(event_id) LIMIT ${int(AT_ONCE)}`,
  );
}
