import type { Reader } from '../../../../../db/reader.ts';
import type { TracePage } from '../../../contract.ts';
import type { PageQuery } from '../../../read-queries.ts';
import { withLabels } from '../labels/label-filter.ts';
import { decodeCursor, encodeCursor, newestFirst, type Position } from '../queries/cursor.ts';
import { newestHits } from '../queries/list-events.ts';
import type { Hit } from '../scan/find-hits.ts';
import { traceIdAt } from '../scan/to-event.ts';
import { type Anchor, readTraceLines, TRACE_GAP_MS } from './trace-lines.ts';
import { tracesSeenBefore } from './traces-seen-before.ts';

/**
 * Traces by the time of their first matching event, newest first. New spans do not change this position, so no page
 * skips a trace. To bound the work of a page, a trace that is silent for a day is listed as two, and a line sums
 * events within a day of its position. Throws 400 for an invalid cursor.
 */
export function listTraces(reader: Reader, given: PageQuery): TracePage {
  const query = withLabels(reader, given);
  const after = query.cursor === null ? null : decodeCursor(query.cursor, (id) => id !== '');
  const found = reader.projects
    .flatMap((project) => readAnchors(reader, project, query, after))
    .sort(newestFirst);
  const page = found.slice(0, query.limit);
  const last = page.at(-1);
  const lines = readTraceLines(reader, page);
  return {
    traces: page.flatMap((anchor) => lines.get(anchor) ?? []),
    nextCursor: found.length > query.limit && last !== undefined ? encodeCursor(last) : null,
  };
}

/** One anchor more than the page needs, if available. */
function readAnchors(reader: Reader, project: number, query: PageQuery, after: Position | null): Anchor[] {
  const anchors: Anchor[] = [];
  for (const { from, hits } of stretchesOf(reader, project, query, after)) {
    const candidates = startsOf(hits)
      .filter((start) => after === null || newestFirst(start, after) > 0)
      .sort(newestFirst);
    for (let at = 0; at < candidates.length; at += query.limit + 1) {
      const some = candidates.slice(at, at + query.limit + 1);
      const old = tracesSeenBefore(reader, { project, query, to: from }, some);
      for (const start of some) if (!old.has(start)) anchors.push({ ...start, project });
      if (anchors.length > query.limit) return anchors;
    }
  }
  return anchors;
}

/** Events per stretch. */
const STRETCH_EVENTS = 2_000;

type Stretch = { readonly from: number; readonly hits: readonly Hit[] };

/**
 * Splits a window into ranges of time with about as many matching events each, newest first, so that a page reads only
 * what it needs. Events of the same millisecond stay together, however many there are.
 */
function* stretchesOf(
  reader: Reader,
  project: number,
  query: PageQuery,
  after: Position | null,
): Generator<Stretch> {
  const start = query.window.from;
  let to = after === null ? query.window.to : Math.min(query.window.to, after.ts + 1);
  for (let limit = STRETCH_EVENTS; to > start; ) {
    const window = { from: start, to };
    const hits = newestHits(reader, { ...query, window }, { projects: [project], after: null, limit });
    const from = hits.length < limit ? start : (hits.at(-1)?.ts ?? start) + 1;
    if (from === to) {
      limit *= 2;
      continue;
    }
    yield { from, hits: hits.filter(({ ts }) => ts >= from) };
    to = from;
    limit = STRETCH_EVENTS;
  }
}

/** The first event of each trace, and the first after each silence of a day. @param hits newest first */
function startsOf(hits: readonly Hit[]): Position[] {
  const starts: Position[] = [];
  const firsts = new Map<string, number>();
  for (const { chunk, place, ts } of hits) {
    const id = traceIdAt(chunk, place);
    const next = firsts.get(id);
    if (next !== undefined && next - ts > TRACE_GAP_MS) starts.push({ ts: next, id });
    firsts.set(id, ts);
  }
  for (const [id, ts] of firsts) starts.push({ ts, id });
  return starts;
}
