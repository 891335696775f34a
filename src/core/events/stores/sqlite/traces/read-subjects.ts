import type { Reader } from '../../../../../db/reader.ts';
import type { StoredEvent } from '../../../contract.ts';
import type { EventSubject, SubjectsQuery } from '../../../subject.ts';
import { FLAG } from '../columns.ts';
import type { Chunk } from '../scan/chunk.ts';
import { compareHits, type Hit } from '../scan/find-hits.ts';
import { keyOfLabels } from '../scan/key-of-label.ts';
import { likelyIds } from '../scan/likely-ids.ts';
import { ALL_TIME, chunksOf } from '../scan/open-chunks.ts';
import { numberAt, spanIdAt, textAt, toEvent } from '../scan/to-event.ts';
import { sessionPlaces } from '../sessions/session-places.ts';
import { greater, precedes } from './trace-lines.ts';
import { soughtTrace, tracePlaces } from './trace-places.ts';

type Maker = ReturnType<typeof createMaker>;

/** Traces, spans and sessions of the first project of the scope, in the order of the query; null for unknown ones. */
export function readSubjects(reader: Reader, { of, content }: SubjectsQuery): (EventSubject | null)[] {
  const [project] = reader.projects;
  if (project === undefined) return of.map(() => null);
  const makers = of.map((one) => createMaker('spanId' in one ? one.spanId : undefined));
  const traces = of.flatMap((one, place) =>
    'traceId' in one ? [{ ...soughtTrace(one.traceId), maker: makers[place] as Maker }] : [],
  );
  const sessions = Map.groupBy(
    of.flatMap((one, place) => ('sessionId' in one ? [{ id: one.sessionId, place }] : [])),
    ({ id }) => id,
  );
  const chunks = chunksOf(reader, project, ALL_TIME);
  if (traces.length > 0)
    for (const [ref, likely] of likelyIds(reader, chunks, 'trace_id', traces)) {
      const chunk = ref.open();
      for (const [{ maker }, places] of tracePlaces(chunk, likely)) maker.add(chunk, places);
    }
  if (sessions.size > 0)
    for (const ref of chunks)
      for (const [id, places] of sessionPlaces(ref.open(), [...sessions.keys()]))
        for (const { place } of sessions.get(id) ?? []) makers[place]?.add(ref.open(), places);
  const keyOf = keyOfLabels(reader);
  const eventOf = ({ chunk, place }: Hit): StoredEvent => {
    const event = toEvent(chunk, place, keyOf);
    if (content) return event;
    const { input: _, output: __, ...rest } = event;
    return rest;
  };
  return makers.map((maker) => maker.subject(eventOf));
}

/** Collects the events of one subject. Of a trace only the given span, if there is one. */
function createMaker(spanId: string | undefined) {
  let root: Hit | null = null;
  let call: Hit | null = null;
  let first: Hit | null = null;
  let anyUser: string | null = null;
  let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  return {
    add(chunk: Chunk, places: readonly number[]): void {
      for (const place of places) {
        const hit = { chunk, place, ts: chunk.number('ts', place) };
        if (first === null || precedes(hit, first)) first = hit;
        anyUser = greater(anyUser, textAt(chunk, 'user_id', place));
        if (spanId !== undefined && spanIdAt(chunk, place) !== spanId) continue;
        from = Math.min(from, hit.ts);
        to = Math.max(to, hit.ts + (numberAt(chunk, 'latency_ms', place) ?? 0));
        if (root === null || precedes(hit, root)) root = hit;
        const isCall = ((chunk.bytes('flags')[place] as number) & FLAG.call) !== 0;
        if (isCall && (call === null || compareHits(hit, call) > 0)) call = hit;
      }
    },
    subject(eventOf: (hit: Hit) => StoredEvent): EventSubject | null {
      if (root === null) return null;
      const userId = userOf(root) ?? userOf(first) ?? anyUser;
      return { from, to, userId, root: eventOf(root), call: call === null ? null : eventOf(call) };
    },
  };
}

const userOf = (hit: Hit | null): string | null =>
  hit === null ? null : textAt(hit.chunk, 'user_id', hit.place);
