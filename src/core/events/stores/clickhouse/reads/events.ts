import { DAY_MS, HOUR_MS } from '../../../../../lib/time.ts';
import type { EventPage, StoredEvent } from '../../../contract.ts';
import type { EventSort, Order } from '../../../order/contract.ts';
import type {
  EventQuery,
  EventsPageQuery,
  FoundEvent,
  NewestQuery,
  StoredSpan,
} from '../../../read-queries.ts';
import type { Selection, Window } from '../../../selection.ts';
import { decodeCursor, encodeCursor, type Position } from '../../shared/order/cursor.ts';
import { decodePlace, encodePlace, orderName } from '../../shared/order/rank.ts';
import { UUID } from '../../shared/order/uuid.ts';
import type { Engine } from '../engine/engine.ts';
import { float, int, ints, nothing, raw, type Sql, sql, text, texts } from '../engine/sql.ts';
import { bucketsOf, EVENT_COLUMNS, priceOf, type StoredRow, toEvent } from '../rows/to-event.ts';
import { INPUT, IS_EVENT, inWindow, OUTPUT, selected } from './conditions.ts';

type Projects = readonly number[];
type Rows = Selection & { readonly window: Window };

/** Events, newest first or in another order, and the number of all that match. */
export async function listEvents(
  engine: Engine,
  projects: Projects,
  query: EventsPageQuery,
): Promise<EventPage> {
  // A cursor is judged before anything is counted.
  const [page, total] = await Promise.all([
    pageOfEvents(engine, projects, query),
    countEvents(engine, projects, query),
  ]);
  return { ...page, total };
}

export async function countEvents(engine: Engine, projects: Projects, query: Rows): Promise<number> {
  const [row] = await engine.read<{ events: number }>(
    projects,
    sql`SELECT count() AS events FROM events FINAL WHERE ${inWindow(projects, query.window)} AND ${IS_EVENT} AND ${selected(query)}`,
  );
  return row?.events ?? 0;
}

/** A page without the count. */
export async function pageOfEvents(
  engine: Engine,
  projects: Projects,
  query: EventsPageQuery,
): Promise<Omit<EventPage, 'total'>> {
  const { order, cursor, limit } = query;
  if (order !== undefined) return sortedPage(engine, projects, { ...query, order });
  const after = cursor === null ? null : decodeCursor(cursor, (id) => UUID.test(id));
  const rows = await newestRows(engine, projects, query, { after, limit: limit + 1 });
  const last = rows[limit - 1];
  return {
    events: rows.slice(0, limit).map(toEvent),
    nextCursor: rows.length > limit && last !== undefined ? encodeCursor(positionOf(last)) : null,
  };
}

const positionOf = ({ ts, event_id }: StoredRow): Position => ({ ts, id: event_id });

/** Some fields of the newest or the oldest events. */
export async function newestEvents<F extends keyof StoredEvent>(
  engine: Engine,
  projects: Projects,
  { fields, order = 'newest', ...query }: NewestQuery<F>,
): Promise<Pick<StoredEvent, F>[]> {
  const rows = await newestRows(engine, projects, query, { after: null, limit: query.limit, order });
  return rows.map((row) => {
    const event = toEvent(row);
    return Object.fromEntries(fields.map((name) => [name, event[name]])) as Pick<StoredEvent, F>;
  });
}

type Pages = {
  readonly after: Position | null;
  readonly limit: number;
  readonly order?: 'newest' | 'oldest';
};

/** The first stretch of time that is read for a page; each further one is four times as long. */
const FIRST_STRETCH = 2 * HOUR_MS;

/**
 * The newest rows that match and follow a position, or the oldest. Only as much time is read as holds a page: `FINAL`
 * over a whole window would read all of it.
 */
export async function newestRows(
  engine: Engine,
  projects: Projects,
  query: Rows,
  { after, limit, order = 'newest' }: Pages,
): Promise<StoredRow[]> {
  const isNewest = order === 'newest';
  const bounds = await stretchOf(engine, projects, within(query.window, after, isNewest));
  const direction = raw(isNewest ? 'DESC' : 'ASC');
  const rows: StoredRow[] = [];
  let stretch = FIRST_STRETCH;
  for (let rest = bounds; rest !== null && rows.length < limit; stretch *= 4) {
    const window: Window = isNewest
      ? { from: Math.max(rest.from, rest.to - stretch), to: rest.to }
      : { from: rest.from, to: Math.min(rest.to, rest.from + stretch) };
    rows.push(
      ...(await engine.read<StoredRow>(
        projects,
        sql`SELECT ${EVENT_COLUMNS} FROM events FINAL
          WHERE ${inWindow(projects, window)} AND ${IS_EVENT} AND ${selected(query)} ${after === null ? nothing : past(after, isNewest)}
          ORDER BY ts ${direction}, toString(event_id) ${direction} LIMIT ${int(limit - rows.length)}`,
      )),
    );
    rest = isNewest ? spanOrNull(rest.from, window.from) : spanOrNull(window.to, rest.to);
  }
  return rows;
}

const spanOrNull = (from: number, to: number): Window | null => (from < to ? { from, to } : null);
const within = ({ from, to }: Window, after: Position | null, isNewest: boolean): Window =>
  after === null
    ? { from, to }
    : isNewest
      ? { from, to: Math.min(to, after.ts + 1) }
      : { from: Math.max(from, after.ts), to };

/** Whether a row comes after a position. */
const past = ({ ts, id }: Position, isNewest: boolean): Sql =>
  sql`AND (ts, toString(event_id)) ${raw(isNewest ? '<' : '>')} (${int(ts)}, ${text(id)})`;

/** The part of a window in which rows are; null without any. */
async function stretchOf(engine: Engine, projects: Projects, window: Window): Promise<Window | null> {
  if (window.from >= window.to || projects.length === 0) return null;
  const [row] = await engine.read<{ first: number; last: number; rows: number }>(
    projects,
    sql`SELECT min(ts) AS first, max(ts) AS last, count() AS rows FROM events WHERE ${inWindow(projects, window)}`,
  );
  return row === undefined || row.rows === 0 ? null : { from: row.first, to: row.last + 1 };
}

/** The values that events are ordered by; NULL without one. */
const SORT_KEYS: Readonly<Record<EventSort, Sql>> = {
  time: raw('ts'),
  cost: raw('if(is_call, cost_nano / 1e9, NULL)'),
  latency: raw('latency_ms'),
  ttft: raw('ttft_ms'),
  input: INPUT,
  output: OUTPUT,
  cached: raw('bucket_cache_read'),
  reasoning: raw('bucket_reasoning'),
  tokens: sql`(${INPUT} + ${OUTPUT})`,
};

/** Those without a value come last; those with one value newest first. */
async function sortedPage(
  engine: Engine,
  projects: Projects,
  query: EventsPageQuery & { readonly order: Order<EventSort> },
): Promise<Omit<EventPage, 'total'>> {
  const { order, cursor, limit, window } = query;
  const name = orderName(order);
  const after = cursor === null ? null : decodePlace(name, cursor, (id) => UUID.test(id));
  const rows = await engine.read<StoredRow & { key: number | null }>(
    projects,
    sql`SELECT ${EVENT_COLUMNS}, toFloat64(${SORT_KEYS[order.by]}) AS key FROM events FINAL
      WHERE ${inWindow(projects, window)} AND ${IS_EVENT} AND ${selected(query)} ${after === null ? nothing : sql`AND ${afterPlace(after, order.desc, raw('toString(event_id)'))}`}
      ORDER BY key ${raw(order.desc ? 'DESC' : 'ASC')} NULLS LAST, ts DESC, toString(event_id) DESC LIMIT ${int(limit + 1)}`,
  );
  const last = rows[limit - 1];
  return {
    events: rows.slice(0, limit).map(toEvent),
    nextCursor:
      rows.length > limit && last !== undefined
        ? encodePlace(name, { key: last.key ?? Number.NaN, ts: last.ts, id: last.event_id })
        : null,
  };
}

/** Whether a row with `key`, `ts` and an id follows a place of an order. */
export function afterPlace(
  { key, ts, id }: { readonly key: number; readonly ts: number; readonly id: string },
  desc: boolean,
  idColumn: Sql,
): Sql {
  const later = sql`(ts, ${idColumn}) < (${int(ts)}, ${text(id)})`;
  if (Number.isNaN(key)) return sql`(key IS NULL AND ${later})`;
  return sql`(key IS NULL OR key ${raw(desc ? '<' : '>')} ${float(key)} OR (key = ${float(key)} AND ${later}))`;
}

/** Rows that match, without `FINAL`: their keys by an index, then of each key the row that stands. */
export const latestRows = (columns: Sql, condition: Sql): Sql =>
  sql`SELECT ${columns} FROM (
      SELECT * FROM events
      WHERE (project, ts, event_id) IN (SELECT project, ts, event_id FROM events WHERE ${condition})
      ORDER BY project, ts, event_id, version DESC LIMIT 1 BY project, ts, event_id)
    WHERE ${condition} AND ${IS_EVENT} AND NOT is_deleted`;

/** One event by its id, in the first project of the scope that has it. */
export async function findEvent(
  engine: Engine,
  projects: Projects,
  { id, ts }: EventQuery,
): Promise<FoundEvent | null> {
  if (!UUID.test(id)) return null;
  const at = ts === null ? nothing : sql`AND ts = ${int(ts)}`;
  const condition = sql`project IN ${ints(projects)} AND event_id IN ${texts([id])} ${at}`;
  const rows = await engine.read<StoredRow>(projects, latestRows(EVENT_COLUMNS, condition));
  const row = projects.flatMap((project) => rows.find((one) => one.project === project) ?? [])[0];
  if (row === undefined) return null;
  return {
    event: toEvent(row),
    isCall: row.is_call === 1,
    buckets: bucketsOf(row),
    costNano: row.cost_nano,
    price: priceOf(row),
  };
}

/** The first day with events, also of those whose rows are deleted, and the time of the newest event. */
export async function readSpan(engine: Engine, projects: Projects): Promise<StoredSpan> {
  const [row] = await engine.read<{ first: number; last: number; stored: number; events: number }>(
    projects,
    sql`SELECT min(ts) AS first, maxIf(ts, ${IS_EVENT}) AS last, countIf(${IS_EVENT}) AS stored, count() AS events FROM events WHERE project IN ${ints(projects)}`,
  );
  if (row === undefined || row.events === 0) return { firstDay: null, newest: null };
  return { firstDay: Math.floor(row.first / DAY_MS) * DAY_MS, newest: row.stored === 0 ? null : row.last };
}
