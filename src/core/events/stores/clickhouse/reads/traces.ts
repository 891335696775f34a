import {
  MAX_FOUND_SPANS,
  MAX_TRACE_SPANS,
  type TraceLine,
  type TraceMatches,
  type TraceReply,
  type WaterfallReply,
} from '../../../contract.ts';
import type { TraceSearch } from '../../../read-queries.ts';
import { FAILED_STATUSES } from '../../../selection.ts';
import type { EventSubject, SubjectsQuery } from '../../../subject.ts';
import { textSearch } from '../../shared/text-search.ts';
import { buildTree, type SpanSums } from '../../shared/traces/build-tree.ts';
import type { Engine } from '../engine/engine.ts';
import { int, ints, sql, texts } from '../engine/sql.ts';
import { bucketsOf, EVENT_COLUMNS, type StoredRow, toEvent } from '../rows/to-event.ts';
import { lineColumns, type SumsRow, toLine } from './event-sums.ts';
import { latestRows } from './events.ts';
import { waterfallOf } from './waterfall.ts';

type Projects = readonly number[];

type FoundTrace = {
  readonly line: TraceLine;
  readonly truncated: boolean;
  readonly rows: readonly StoredRow[];
};

/** A trace with its first spans by start, in the first project of the scope that has it; null if there is none. */
async function findTrace(engine: Engine, projects: Projects, traceId: string): Promise<FoundTrace | null> {
  for (const project of projects) {
    const condition = sql`project IN ${ints([project])} AND trace_id IN ${texts([traceId])}`;
    const rows = await engine.read<StoredRow>(
      projects,
      sql`${latestRows(EVENT_COLUMNS, condition)} ORDER BY ts, toString(event_id) LIMIT ${int(MAX_TRACE_SPANS)}`,
    );
    if (rows.length === 0) continue;
    const [line] = await readLines(engine, project, [traceId]);
    if (line === undefined) continue;
    return { line, truncated: line.spans > rows.length, rows };
  }
  return null;
}

const summaryOf = ({ line, truncated }: FoundTrace) => {
  const { name: _, user_id: __, session_id: ___, ...sums } = line;
  return { ...sums, truncated };
};

/** A trace as a tree of spans. */
export async function getTrace(
  engine: Engine,
  projects: Projects,
  traceId: string,
): Promise<TraceReply | null> {
  const found = await findTrace(engine, projects, traceId);
  if (found === null) return null;
  return { trace: summaryOf(found), spans: buildTree(found.rows.map(toEvent), found.rows.map(sumsOf)) };
}

/** A trace in columns. */
export async function getWaterfall(
  engine: Engine,
  projects: Projects,
  traceId: string,
): Promise<WaterfallReply | null> {
  const found = await findTrace(engine, projects, traceId);
  return found === null ? null : { trace: summaryOf(found), spans: waterfallOf(found.rows, sumsOf) };
}

const failed = new Set<string>(FAILED_STATUSES);

/** What a span adds to those above it. */
function sumsOf(row: StoredRow): SpanSums {
  const errors = failed.has(row.status) ? 1 : 0;
  if (row.is_call === 0) return [0, errors, 0, 0, 0, 0];
  const { fresh, cacheRead, cacheWrite5m, cacheWrite1h, output, reasoning } = bucketsOf(row);
  const unpriced = row.cost_status === 'unpriced' ? 1 : 0;
  return [
    1,
    errors,
    row.cost_nano ?? 0,
    unpriced,
    fresh + cacheRead + cacheWrite5m + cacheWrite1h,
    output + reasoning,
  ];
}

/** The spans of a trace with a text in them. */
export async function searchTrace(
  engine: Engine,
  projects: Projects,
  { traceId, text }: TraceSearch,
): Promise<TraceMatches | null> {
  const found = await findTrace(engine, projects, traceId);
  if (found === null) return null;
  const holdsText = textSearch(text);
  const ids = found.rows.flatMap((row) => (holdsText({ ...toEvent(row), key_id: null }) ? row.event_id : []));
  const isLong = ids.length > MAX_FOUND_SPANS;
  return { event_ids: ids.slice(0, MAX_FOUND_SPANS), truncated: isLong || found.truncated };
}

/** What traces add up to, over all their events; those of which there are none are left out. */
export async function readLines(
  engine: Engine,
  project: number,
  ids: readonly string[],
): Promise<TraceLine[]> {
  if (ids.length === 0) return [];
  const condition = sql`project IN ${ints([project])} AND trace_id IN ${texts(ids)}`;
  const rows = await engine.read<SumsRow & { trace_id: string }>(
    [project],
    sql`SELECT trace_id, ${lineColumns} FROM (${latestRows(sql`*`, condition)}) GROUP BY trace_id`,
  );
  const lines = new Map(rows.map((row) => [row.trace_id, toLine(row.trace_id, row)]));
  return ids.flatMap((id) => lines.get(id) ?? []);
}

export async function getTraceLine(
  engine: Engine,
  projects: Projects,
  traceId: string,
): Promise<TraceLine | null> {
  for (const project of projects) {
    const [line] = await readLines(engine, project, [traceId]);
    if (line !== undefined) return line;
  }
  return null;
}

/** Traces, spans and sessions of the first project of the scope, in the order of the query. */
export async function readSubjects(
  engine: Engine,
  projects: Projects,
  { of, content }: SubjectsQuery,
): Promise<(EventSubject | null)[]> {
  const [project] = projects;
  if (project === undefined) return of.map(() => null);
  const traces = of.flatMap((one) => ('traceId' in one ? [one.traceId] : []));
  const sessions = of.flatMap((one) => ('sessionId' in one ? [one.sessionId] : []));
  const rows = await engine.read<StoredRow>(
    projects,
    sql`${latestRows(
      EVENT_COLUMNS,
      sql`project IN ${ints([project])} AND (trace_id IN ${texts(traces)} OR ifNull(session_id, '') IN ${texts(sessions)})`,
    )} ORDER BY ts, toString(event_id)`,
  );
  const byTrace = Map.groupBy(rows, ({ trace_id }) => trace_id);
  const bySession = Map.groupBy(rows, ({ session_id }) => session_id);
  return of.map((one) => {
    const own = ('traceId' in one ? byTrace.get(one.traceId) : bySession.get(one.sessionId)) ?? [];
    return subjectOf(own, 'spanId' in one ? one.spanId : undefined, content);
  });
}

/** @param rows of a trace or session, oldest first */
function subjectOf(
  rows: readonly StoredRow[],
  spanId: string | undefined,
  content: boolean,
): EventSubject | null {
  const own = spanId === undefined ? rows : rows.filter(({ span_id }) => span_id === spanId);
  const root = firstRoot(own);
  if (root === undefined) return null;
  const call = own.findLast(({ is_call }) => is_call === 1);
  const users = rows.flatMap(({ user_id }) => user_id ?? []).sort();
  const eventOf = (row: StoredRow) => {
    const event = toEvent(row);
    if (content) return event;
    const { input: _, output: __, ...rest } = event;
    return rest;
  };
  return {
    from: Math.min(...own.map(({ ts }) => ts)),
    to: Math.max(...own.map(({ ts, latency_ms }) => ts + (latency_ms ?? 0))),
    userId: root.user_id ?? firstRoot(rows)?.user_id ?? users.at(-1) ?? null,
    root: eventOf(root),
    call: call === undefined ? null : eventOf(call),
  };
}

const firstRoot = (rows: readonly StoredRow[]): StoredRow | undefined =>
  rows.find(({ parent_span_id }) => parent_span_id === null) ?? rows[0];
