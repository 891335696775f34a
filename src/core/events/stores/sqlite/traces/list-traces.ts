import type { Reader } from '../../../../../db/reader.ts';
import type { TraceLine, TracePage } from '../../../contract.ts';
import type { LinesPageQuery, PageQuery } from '../../../read-queries.ts';
import { decodeCursor, encodeCursor, newestFirst, type Position } from '../../shared/order/cursor.ts';
import { withLabels } from '../labels/label-filter.ts';
import { traceGroups } from '../order/groups.ts';
import { sortedIds } from '../order/sort-lines.ts';
import { newestHits } from '../queries/list-events.ts';
import type { Hit } from '../scan/find-hits.ts';
import { traceIdAt } from '../scan/to-event.ts';
import { type ListedTrace, readTraceLines } from './trace-lines.ts';

/**
 * Traces by the time of their first matching event, newest first, each with the sums of all its events. Later spans do
 * not change this position, so no page skips a trace. Another order is that of `sortedIds`. Throws 400 for an invalid
 * cursor.
 */
export function listTraces(reader: Reader, given: LinesPageQuery): TracePage {
  const query = withLabels(reader, given);
  if (given.order !== undefined) return sortedTraces(reader, { ...query, order: given.order });
  const after = query.cursor === null ? null : decodeCursor(query.cursor, (id) => id !== '');
  const found = reader.projects
    .flatMap((project) => readPage(reader, project, query, after))
    .sort(newestFirst);
  const page = found.slice(0, query.limit);
  const last = page.at(-1);
  return {
    traces: page.map(({ line }) => line),
    nextCursor: found.length > query.limit && last !== undefined ? encodeCursor(last) : null,
  };
}

function sortedTraces(reader: Reader, query: Parameters<typeof sortedIds>[1]): TracePage {
  const { places, nextCursor } = sortedIds(reader, query, { groups: traceGroups, ts: 'first' });
  const lines = new Map(
    [...Map.groupBy(places, ({ project }) => project)].map(([project, own]) => [
      project,
      readTraceLines(
        reader,
        { project, query },
        own.map(({ id }) => id),
      ),
    ]),
  );
  return { traces: places.flatMap(({ project, id }) => lines.get(project)?.get(id)?.line ?? []), nextCursor };
}

type Entry = Position & { readonly line: TraceLine };

/** One trace more than the page needs, if available. */
function readPage(reader: Reader, project: number, query: PageQuery, after: Position | null): Entry[] {
  const entries: Entry[] = [];
  const known = new Map<string, ListedTrace>();
  for (const hits of stretchesOf(reader, project, query, after)) {
    const candidates = startsOf(hits)
      .filter((start) => after === null || newestFirst(start, after) > 0)
      .sort(newestFirst);
    for (let at = 0; at < candidates.length; at += query.limit + 1) {
      const some = candidates.slice(at, at + query.limit + 1);
      const unknown = some.flatMap(({ id }) => (known.has(id) ? [] : id));
      for (const [id, trace] of readTraceLines(reader, { project, query }, unknown)) known.set(id, trace);
      for (const start of some) {
        const trace = known.get(start.id);
        // One that began before this stretch is listed there.
        if (trace?.first === start.ts) entries.push({ ...start, line: trace.line });
      }
      if (entries.length > query.limit) return entries;
    }
  }
  return entries;
}

/** Events per stretch. */
const STRETCH_EVENTS = 2_000;

/**
 * Splits a window into ranges of time with about as many matching events each, newest first, so that a page reads only
 * what it needs. Events of the same millisecond stay together, however many there are.
 */
function* stretchesOf(
  reader: Reader,
  project: number,
  query: PageQuery,
  after: Position | null,
): Generator<readonly Hit[]> {
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
    yield hits.filter(({ ts }) => ts >= from);
    to = from;
    limit = STRETCH_EVENTS;
  }
}

/** The first event of each trace. @param hits newest first */
function startsOf(hits: readonly Hit[]): Position[] {
  const firsts = new Map<string, number>();
  for (const { chunk, place, ts } of hits) firsts.set(traceIdAt(chunk, place), ts);
  return [...firsts].map(([id, ts]) => ({ ts, id }));
}
