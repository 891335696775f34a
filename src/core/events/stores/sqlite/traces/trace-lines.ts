import type { Reader } from '../../../../../db/reader.ts';
import type { TraceLine } from '../../../contract.ts';
import type { Selection, Window } from '../../../selection.ts';
import { FLAG } from '../columns.ts';
import type { Chunk } from '../scan/chunk.ts';
import { compareHits, type Hit } from '../scan/find-hits.ts';
import { likelyIds } from '../scan/likely-ids.ts';
import { matchesOf } from '../scan/match.ts';
import { ALL_TIME, chunksOf } from '../scan/open-chunks.ts';
import { nameAt, textAt } from '../scan/to-event.ts';
import { createTotals } from './event-totals.ts';
import { type SoughtTrace, soughtTrace, tracePlaces } from './trace-places.ts';

/** A trace with the time of its first event of a selection, where it is listed. */
export type ListedTrace = { readonly first: number; readonly line: TraceLine };

/** Adds up the events of a trace. */
type LineMaker = { add(chunk: Chunk, places: readonly number[]): void; line(): TraceLine | null };

type SoughtLine = SoughtTrace & { readonly maker: LineMaker };

/** Some traces of a project, each with the sums of all its events. All are looked up in one pass. */
export function readTraceLines(
  reader: Reader,
  { project, query }: { readonly project: number; readonly query: Selection & { readonly window: Window } },
  ids: readonly string[],
): Map<string, ListedTrace> {
  const sought = ids.map((id): SoughtLine => ({ ...soughtTrace(id), maker: createLine(id) }));
  const firsts = new Map<string, number>();
  if (sought.length === 0) return new Map();
  for (const [ref, likely] of likelyIds(reader, chunksOf(reader, project, ALL_TIME), 'trace_id', sought)) {
    const chunk = ref.open();
    const found = tracePlaces(chunk, likely);
    if (found.size === 0) continue;
    const mask = matchesOf(chunk, query, query.window);
    const ts = chunk.numbers('ts');
    for (const [{ id, maker }, places] of found) {
      maker.add(chunk, places);
      for (const place of places)
        if (mask?.[place] === 1)
          firsts.set(id, Math.min(firsts.get(id) ?? Number.POSITIVE_INFINITY, ts[place] as number));
    }
  }
  return new Map(
    sought.flatMap(({ id, maker }) => {
      const [first, line] = [firsts.get(id), maker.line()];
      return first === undefined || line === null ? [] : [[id, { first, line }] as const];
    }),
  );
}

/** The line of a trace; null without events. Its name, user and session are those of the first root, or first span. */
export function createLine(traceId: string): LineMaker {
  const totals = createTotals();
  let root: Hit | null = null;
  let anyUser: string | null = null;
  let anySession: string | null = null;
  return {
    add(chunk, places) {
      totals.add(chunk, places);
      for (const place of places) {
        const hit = { chunk, place, ts: chunk.number('ts', place) };
        if (root === null || precedes(hit, root)) root = hit;
        anyUser = greater(anyUser, textAt(chunk, 'user_id', place));
        anySession = greater(anySession, textAt(chunk, 'session_id', place));
      }
    },
    line() {
      if (root === null) return null;
      const { chunk, place } = root;
      return {
        trace_id: traceId,
        ...totals.sums(),
        name: nameAt(chunk, place) ?? textAt(chunk, 'operation', place) ?? '',
        user_id: textAt(chunk, 'user_id', place) ?? anyUser,
        session_id: textAt(chunk, 'session_id', place) ?? anySession,
      };
    },
  };
}

/** Roots come before other spans. */
export function precedes(a: Hit, b: Hit): boolean {
  const isRoot = ({ chunk, place }: Hit): boolean =>
    ((chunk.bytes('flags')[place] as number) & FLAG.parent) === 0;
  return isRoot(a) === isRoot(b) ? compareHits(a, b) < 0 : isRoot(a);
}

/** Of two texts the greater, so that the choice does not depend on the order of events. */
export const greater = (a: string | null, b: string | null): string | null =>
  a === null || (b !== null && b > a) ? b : a;
