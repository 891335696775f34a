import { DAY_MS } from '../../../../../lib/time.ts';
import type { EventPage, TracePage } from '../../../contract.ts';
import type { LineSort, Order } from '../../../order/contract.ts';
import type {
  LinesPageQuery,
  Session,
  SessionEventsQuery,
  SessionLine,
  SessionPage,
} from '../../../read-queries.ts';
import type { Window } from '../../../selection.ts';
import { decodeCursor, encodeCursor } from '../../shared/order/cursor.ts';
import { decodePlace, encodePlace, orderName } from '../../shared/order/rank.ts';
import { UUID } from '../../shared/order/uuid.ts';
import { textSearch } from '../../shared/text-search.ts';
import type { Engine } from '../engine/engine.ts';
import { int, ints, nothing, raw, type Sql, sql, text, texts } from '../engine/sql.ts';
import { EVENT_COLUMNS, type StoredRow, toEvent } from '../rows/to-event.ts';
import { FAILED, INPUT, IS_EVENT, inWindow, OUTPUT, selected } from './conditions.ts';
import { lineColumns, type SumsRow, toLine, toSums } from './event-sums.ts';
import { afterPlace, latestRows } from './events.ts';
import { readLines } from './traces.ts';

type Projects = readonly number[];

/** Traces by the time of their first matching event, newest first, or in another order. */
export async function listTraces(
  engine: Engine,
  projects: Projects,
  query: LinesPageQuery,
): Promise<TracePage> {
  const { ids, nextCursor } = await pageOfIds(engine, projects, query, TRACES);
  const lines = await Promise.all(
    [...Map.groupBy(ids, ({ project }) => project)].map(async ([project, own]) => {
      const found = await readLines(
        engine,
        project,
        own.map(({ id }) => id),
      );
      return found.map((line) => [`${project} ${line.trace_id}`, line] as const);
    }),
  );
  const byId = new Map(lines.flat());
  return { traces: ids.flatMap(({ project, id }) => byId.get(`${project} ${id}`) ?? []), nextCursor };
}

/** Sessions by the time of their last matching event, newest first, or in another order. */
export async function listSessions(
  engine: Engine,
  projects: Projects,
  query: LinesPageQuery,
): Promise<SessionPage> {
  const [project] = projects;
  if (project === undefined) return { sessions: [], nextCursor: null };
  const page = await pageOfIds(engine, [project], { ...query, inSession: true }, SESSIONS);
  const ids = page.ids.map(({ id }) => id);
  return { sessions: await readSessions(engine, project, ids), nextCursor: page.nextCursor };
}

/** What a list is of: its id, and the event that gives a group its place. */
type Kind = {
  readonly column: Sql;
  /** Its time. */
  readonly ts: Sql;
  /** What orders groups of the same time: of sessions the event's id, of traces the id of the trace. */
  readonly tie: Sql;
  readonly isTie: (id: string) => boolean;
};
const TRACES: Kind = {
  column: raw('trace_id'),
  ts: raw('min(ts)'),
  tie: raw('trace_id'),
  isTie: (id) => id !== '',
};
const SESSIONS: Kind = {
  column: raw("ifNull(session_id, '')"),
  ts: raw('max(ts)'),
  tie: raw('max((ts, toString(event_id))).2'),
  isTie: (id) => UUID.test(id),
};

type IdRow = { readonly project: number; readonly id: string; readonly first: number; readonly tie: string };
type Ids = { readonly ids: readonly IdRow[]; readonly nextCursor: string | null };

async function pageOfIds(
  engine: Engine,
  projects: Projects,
  query: LinesPageQuery,
  kind: Kind,
): Promise<Ids> {
  const { order, cursor, limit, window } = query;
  if (order !== undefined) return sortedIds(engine, projects, { ...query, order }, kind);
  const after = cursor === null ? null : decodeCursor(cursor, kind.isTie);
  const rows = await engine.read<IdRow>(
    projects,
    sql`SELECT project, ${kind.column} AS id, ${kind.ts} AS first, ${kind.tie} AS tie FROM events FINAL
      WHERE ${inWindow(projects, window)} AND ${IS_EVENT} AND ${selected(query)} GROUP BY project, ${kind.column}
      ${after === null ? nothing : sql`HAVING (first, tie) < (${int(after.ts)}, ${text(after.id)})`}
      ORDER BY first DESC, tie DESC LIMIT ${int(limit + 1)}`,
  );
  const last = rows[limit - 1];
  return {
    ids: rows.slice(0, limit),
    nextCursor:
      rows.length > limit && last !== undefined ? encodeCursor({ ts: last.first, id: last.tie }) : null,
  };
}

/** Time before and after the window whose events take part in the order. */
const MARGIN = DAY_MS;

const LINE_KEYS: Readonly<Record<Exclude<LineSort, 'time'>, Sql>> = {
  cost: raw('ifNull(sumIf(cost_nano, is_call), 0)'),
  duration: raw('floor((max(ts + ifNull(latency_ms, 0)) - min(ts)) * 1000 + 0.5)'),
  spans: raw('count()'),
  calls: raw('countIf(is_call)'),
  errors: sql`countIf(${FAILED})`,
  tokens: sql`sumIf(${INPUT} + ${OUTPUT}, is_call)`,
};

async function sortedIds(
  engine: Engine,
  projects: Projects,
  query: LinesPageQuery & { readonly order: Order<LineSort> },
  { column, ts }: Kind,
): Promise<Ids> {
  const { order, cursor, limit, window } = query;
  const name = orderName(order);
  const after = cursor === null ? null : decodePlace(name, cursor, (id) => id !== '');
  const found = sql`SELECT project, ${column} AS id, ${ts} AS first FROM events FINAL
    WHERE ${inWindow(projects, window)} AND ${IS_EVENT} AND ${selected(query)} GROUP BY project, id`;
  const wide: Window = { from: window.from - MARGIN, to: window.to + MARGIN };
  const ranked =
    order.by === 'time'
      ? sql`SELECT project, id, first AS ts, toFloat64(first) AS key FROM (${found})`
      : sql`SELECT project, id, found.first AS ts, toFloat64(sums.key) AS key FROM (${found}) AS found
          INNER JOIN (SELECT project, ${column} AS id, ${LINE_KEYS[order.by]} AS key FROM events FINAL
            WHERE ${inWindow(projects, wide)} AND ${IS_EVENT} GROUP BY project, id) AS sums USING (project, id)`;
  const rows = await engine.read<{ project: number; id: string; ts: number; key: number }>(
    projects,
    sql`SELECT project, id, ts, key FROM (${ranked}) ${after === null ? nothing : sql`WHERE ${afterPlace(after, order.desc, raw('id'))}`}
      ORDER BY key ${raw(order.desc ? 'DESC' : 'ASC')}, ts DESC, id DESC LIMIT ${int(limit + 1)}`,
  );
  const last = rows[limit - 1];
  return {
    ids: rows.slice(0, limit).map(({ project, id, ts: first }) => ({ project, id, first, tie: id })),
    nextCursor: rows.length > limit && last !== undefined ? encodePlace(name, last) : null,
  };
}

type SessionRow = SumsRow & { readonly session: string; readonly traces: number };

/** Sessions over all their events, in the order of their ids; those of which there are none are left out. */
async function readSessions(engine: Engine, project: number, ids: readonly string[]): Promise<SessionLine[]> {
  if (ids.length === 0) return [];
  const condition = sql`project IN ${ints([project])} AND session_id IN ${texts(ids)}`;
  const rows = await engine.read<SessionRow>(
    [project],
    sql`SELECT ifNull(session_id, '') AS session, uniqExact(trace_id) AS traces, ${lineColumns}
      FROM (${latestRows(sql`*`, condition)}) GROUP BY session`,
  );
  const lines = new Map(rows.map((row) => [row.session, toSession(row)]));
  return ids.flatMap((id) => lines.get(id) ?? []);
}

const toSession = (row: SessionRow): SessionLine => ({
  session_id: row.session,
  user_id: row.any_user,
  traces: row.traces,
  ...toSums(row),
});

/** Most traces of a session in a reply; the first ones are kept. */
const MAX_SESSION_TRACES = 1_000;

export async function getSession(
  engine: Engine,
  projects: Projects,
  sessionId: string,
): Promise<Session | null> {
  const [project] = projects;
  if (project === undefined) return null;
  const [session] = await readSessions(engine, project, [sessionId]);
  if (session === undefined) return null;
  const condition = sql`project IN ${ints([project])} AND session_id IN ${texts([sessionId])}`;
  const rows = await engine.read<SumsRow & { trace_id: string }>(
    projects,
    sql`SELECT trace_id, ${lineColumns} FROM (${latestRows(sql`*`, condition)}) GROUP BY trace_id
      ORDER BY start, trace_id LIMIT ${int(MAX_SESSION_TRACES)}`,
  );
  return {
    session,
    traces: rows.map((row) => toLine(row.trace_id, row)),
    truncated: session.traces > rows.length,
  };
}

/** Events whose contents a search of one page reads at most. */
const MAX_SEARCHED = 1_000;

/** The events of a session, oldest first; null on the first page of an unknown session. */
export async function listSessionEvents(
  engine: Engine,
  projects: Projects,
  { sessionId, text: sought, cursor, limit, ...selection }: SessionEventsQuery,
): Promise<Omit<EventPage, 'total'> | null> {
  const after = cursor === null ? null : decodeCursor(cursor, (id) => UUID.test(id));
  const [project] = projects;
  if (project === undefined) return null;
  const of = sql`project IN ${ints([project])} AND session_id IN ${texts([sessionId])}`;
  const most = sought === undefined ? limit : MAX_SEARCHED;
  const past =
    after === null ? nothing : sql`AND (ts, toString(event_id)) > (${int(after.ts)}, ${text(after.id)})`;
  const rows = await engine.read<StoredRow>(
    projects,
    sql`${latestRows(EVENT_COLUMNS, of)} AND ${selected(selection)} ${past}
      ORDER BY ts, toString(event_id) LIMIT ${int(most + 1)}`,
  );
  if (rows.length === 0 && after === null && !(await isKnown(engine, project, of))) return null;
  const isWanted = sought === undefined ? () => true : textSearch(sought);
  const events = [];
  let seen = 0;
  while (events.length < limit && seen < Math.min(most, rows.length)) {
    const event = toEvent(rows[seen++] as StoredRow);
    if (isWanted(event)) events.push(event);
  }
  const last = rows[seen - 1];
  return {
    events,
    nextCursor:
      rows.length > seen && last !== undefined ? encodeCursor({ ts: last.ts, id: last.event_id }) : null,
  };
}

async function isKnown(engine: Engine, project: number, condition: Sql): Promise<boolean> {
  const rows = await engine.read(
    [project],
    sql`SELECT 1 AS one FROM (${latestRows(sql`ts`, condition)}) LIMIT 1`,
  );
  return rows.length > 0;
}
