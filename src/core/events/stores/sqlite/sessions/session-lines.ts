import type { Reader } from '../../../../../db/reader.ts';
import type { Session, SessionLine } from '../../../read-queries.ts';
import type { Chunk } from '../scan/chunk.ts';
import { ALL_TIME, chunksOf } from '../scan/open-chunks.ts';
import { textAt, traceIdAt } from '../scan/to-event.ts';
import { createTotals } from '../traces/event-totals.ts';
import { createLine, greater } from '../traces/trace-lines.ts';
import { sessionPlaces } from './session-places.ts';

/** Maximum number of traces per session in a reply; the first ones are kept. */
const MAX_SESSION_TRACES = 1_000;

/** The lines of some sessions, each over all its events, in one pass; unknown sessions are left out. */
export function readSessions(reader: Reader, project: number, ids: readonly string[]): SessionLine[] {
  const makers = new Map(ids.map((id) => [id, createSession(id)]));
  eachChunk(reader, project, ids, (id, chunk, places) => makers.get(id)?.add(chunk, places));
  return ids.flatMap((id) => makers.get(id)?.line() ?? []);
}

/** A session and its traces by start time, each with the sums of its events in the session; null if it is unknown. */
export function getSession(reader: Reader, sessionId: string): Session | null {
  const [project] = reader.projects;
  if (project === undefined) return null;
  const maker = createSession(sessionId);
  const lines = new Map<string, ReturnType<typeof createLine>>();
  eachChunk(reader, project, [sessionId], (_, chunk, places) => {
    maker.add(chunk, places);
    for (const [id, own] of Map.groupBy(places, (place) => traceIdAt(chunk, place))) {
      const line = lines.get(id) ?? createLine(id);
      lines.set(id, line);
      line.add(chunk, own);
    }
  });
  const session = maker.line();
  if (session === null) return null;
  const traces = [...lines.values()]
    .flatMap((line) => line.line() ?? [])
    .sort((a, b) => (a.start === b.start ? (a.trace_id < b.trace_id ? -1 : 1) : a.start < b.start ? -1 : 1))
    .slice(0, MAX_SESSION_TRACES);
  return { session, traces, truncated: session.traces > traces.length };
}

/** Calls `found` with the places of each session's events in each chunk. */
function eachChunk(
  reader: Reader,
  project: number,
  ids: readonly string[],
  found: (id: string, chunk: Chunk, places: readonly number[]) => void,
): void {
  if (ids.length === 0) return;
  for (const ref of chunksOf(reader, project, ALL_TIME)) {
    const chunk = ref.open();
    for (const [id, places] of sessionPlaces(chunk, ids)) found(id, chunk, places);
  }
}

/** Adds up the events of a session; its line is null without events. */
function createSession(sessionId: string) {
  const totals = createTotals();
  const traces = new Set<string>();
  let user: string | null = null;
  return {
    add(chunk: Chunk, places: readonly number[]): void {
      totals.add(chunk, places);
      for (const place of places) {
        traces.add(traceIdAt(chunk, place));
        user = greater(user, textAt(chunk, 'user_id', place));
      }
    },
    line: (): SessionLine | null =>
      traces.size === 0
        ? null
        : { session_id: sessionId, user_id: user, traces: traces.size, ...totals.sums() },
  };
}
