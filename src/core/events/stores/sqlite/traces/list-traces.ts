import type { SqlValue } from '../../../../../db/connection.ts';
import type { Reader } from '../../../../../db/reader.ts';
import { HOUR_MS } from '../../../../../lib/time.ts';
import type { TraceLine, TracePage } from '../../../contract.ts';
import type { PageQuery } from '../../../read-queries.ts';
import type { Window } from '../../../selection.ts';
import { busyHours } from '../rows/busy-hours.ts';
import { decodeCursor, encodeCursor, newestFirst, type Position } from '../rows/cursor.ts';
import { whereOf } from '../rows/event-filters.ts';
import { unpackId } from '../rows/ids.ts';
import { sessionTimes } from '../sessions/session-times.ts';
import { type Anchor, readTraceLines } from './trace-lines.ts';
import { tracesSeenBefore } from './traces-seen-before.ts';

/**
 * Traces by the time of their first matching event, newest first. New spans do not change this position, so no page
 * skips a trace. To bound the work of a page, a trace that is silent for a day is listed as two, and a line sums
 * events within a day of its position. Throws 400 for an invalid cursor.
 */
export function listTraces(reader: Reader, query: PageQuery): TracePage {
  const after = query.cursor === null ? null : decodeCursor(query.cursor, (id) => id !== '');
  const found = reader.projects
    .flatMap((project) => readAnchors(reader, project, query, after).map((anchor) => ({ project, anchor })))
    .sort((a, b) => newestFirst(a.anchor, b.anchor));
  const page = found.slice(0, query.limit);
  const last = page.at(-1);
  const lines = new Map<Anchor, TraceLine>();
  for (const project of reader.projects) {
    const own = page.filter((one) => one.project === project).map(({ anchor }) => anchor);
    for (const [anchor, line] of readTraceLines(reader, project, own)) lines.set(anchor, line);
  }
  return {
    traces: page.flatMap(({ anchor }) => lines.get(anchor) ?? []),
    nextCursor: found.length > query.limit && last !== undefined ? encodeCursor(last.anchor) : null,
  };
}

/** One anchor more than the page needs, if available. */
function readAnchors(reader: Reader, project: number, query: PageQuery, after: Position | null): Anchor[] {
  const { from, to } = query.window;
  const window = after === null ? query.window : { from, to: Math.min(to, after.ts + 1) };
  const anchors: Anchor[] = [];
  for (const hour of hoursOf(reader, project, query, window)) {
    for (const stretch of stretchesOf(reader, project, query, hour)) {
      for (const candidates of tracesOf(reader, project, query, stretch)) {
        const old = tracesSeenBefore(reader, { project, from: stretch.from, query }, candidates);
        for (const { ts, id, traceId } of candidates) {
          const isPast = after !== null && newestFirst({ ts, id }, after) <= 0;
          if (!isPast && !old.has(id)) anchors.push({ ts, id, traceId, hour: Math.floor(ts / HOUR_MS) });
        }
        if (anchors.length > query.limit) return anchors;
      }
    }
  }
  return anchors;
}

/** Rows per query. */
const STRETCH_ROWS = 2_000;

/**
 * Splits a busy hour into ranges with about as many matching events each, newest first, so that a page reads only
 * what it needs.
 */
function* stretchesOf(
  reader: Reader,
  project: number,
  query: PageQuery,
  { from, to }: Window,
): Generator<Window> {
  const where = whereOf(query);
  for (let end = to; end > from; ) {
    const [row] = reader.rows(
      `SELECT ts FROM events WHERE project = ? AND ts >= ? AND ts < ?${where.sql}
       ORDER BY ts DESC LIMIT 1 OFFSET ${STRETCH_ROWS}`,
      [project, from, end, ...where.args],
    );
    // Events of the same millisecond stay together, however many there are.
    const start = row === undefined ? from : Math.min(Number(row[0]) + 1, end - 1);
    yield { from: start, to: end };
    end = start;
  }
}

/** The hours with matching events, newest first. */
function hoursOf(reader: Reader, project: number, query: PageQuery, window: Window): Iterable<Window> {
  const { sessionId } = query.filters;
  if (sessionId === undefined) return busyHours(reader, project, query, window);
  const times = sessionTimes(reader, project, [sessionId], window).get(sessionId) ?? [];
  const hours = new Set(times.map((ts) => Math.floor(ts / HOUR_MS)).reverse());
  return [...hours].map((hour) => ({
    from: Math.max(window.from, hour * HOUR_MS),
    to: Math.min(window.to, (hour + 1) * HOUR_MS),
  }));
}

/** A trace id as text, which cursors compare. */
const ID_TEXT = "iif(typeof(trace_id) = 'blob', lower(hex(trace_id)), trace_id)";

type Candidate = Position & { readonly traceId: SqlValue };

/** The traces of a time range by their first matching event in it, newest first, one page at a time. */
function* tracesOf(
  reader: Reader,
  project: number,
  query: PageQuery,
  { from, to }: Window,
): Generator<Candidate[]> {
  const where = whereOf(query);
  const size = query.limit + 1;
  for (let offset = 0; ; offset += size) {
    const rows = reader.rows(
      `SELECT trace_id, min(ts) AS first FROM events
       WHERE project = ? AND ts >= ? AND ts < ?${where.sql}
       GROUP BY trace_id ORDER BY first DESC, ${ID_TEXT} DESC LIMIT ? OFFSET ?`,
      [project, from, to, ...where.args, size, offset],
    );
    if (rows.length > 0) {
      yield rows.map(([traceId = null, first]) => ({ ts: Number(first), id: unpackId(traceId), traceId }));
    }
    if (rows.length < size) return;
  }
}
