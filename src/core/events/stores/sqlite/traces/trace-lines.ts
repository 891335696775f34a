import type { Reader } from '../../../../../db/reader.ts';
import { HOUR_MS } from '../../../../../lib/time.ts';
import type { TraceLine } from '../../../contract.ts';
import type { Window } from '../../../selection.ts';
import { FLAG } from '../columns.ts';
import type { Position } from '../queries/cursor.ts';
import type { Chunk } from '../scan/chunk.ts';
import { compareHits, type Hit } from '../scan/find-hits.ts';
import { likelyIds } from '../scan/likely-ids.ts';
import { chunksOf } from '../scan/open-chunks.ts';
import { nameAt, textAt } from '../scan/to-event.ts';
import { createTotals } from './event-totals.ts';
import { type SoughtTrace, soughtTrace, tracePlaces } from './trace-places.ts';

/** Silence after which lists treat further events as another trace, so that their work is bounded. */
export const TRACE_GAP_MS = 24 * HOUR_MS;

/** A trace at its first event of the selection. */
export type Anchor = Position & { readonly project: number };

/** Adds up the events of a trace. */
type LineMaker = { add(chunk: Chunk, places: readonly number[]): void; line(): TraceLine | null };

type SoughtLine = SoughtTrace & {
  readonly anchor: Anchor;
  readonly window: Window;
  readonly maker: LineMaker;
};

/** The lines of some traces, over events within a day of their positions. All are looked up in one pass. */
export function readTraceLines(reader: Reader, anchors: readonly Anchor[]): Map<Anchor, TraceLine> {
  const sought = anchors.map((anchor): SoughtLine => {
    const hour = Math.floor(anchor.ts / HOUR_MS) * HOUR_MS;
    const window = { from: hour - TRACE_GAP_MS, to: hour + HOUR_MS + TRACE_GAP_MS };
    return { ...soughtTrace(anchor.id), anchor, window, maker: createLine(anchor.id) };
  });
  for (const [project, own] of Map.groupBy(sought, ({ anchor }) => anchor.project)) {
    const from = Math.min(...own.map(({ window }) => window.from));
    const to = Math.max(...own.map(({ window }) => window.to));
    const refs = chunksOf(reader, project, { from, to });
    for (const [{ first, last, open }, likely] of likelyIds(reader, refs, 'trace_id', own)) {
      const near = likely.filter(({ window }) => first < window.to && last >= window.from);
      if (near.length > 0) addEvents(open(), near);
    }
  }
  return new Map(
    sought.flatMap(({ anchor, maker }) => {
      const line = maker.line();
      return line === null ? [] : [[anchor, line] as const];
    }),
  );
}

function addEvents(chunk: Chunk, traces: readonly SoughtLine[]): void {
  const found = tracePlaces(chunk, traces);
  if (found.size === 0) return;
  const ts = chunk.numbers('ts');
  for (const [{ window, maker }, places] of found) {
    const inWindow = (place: number): boolean =>
      (ts[place] as number) >= window.from && (ts[place] as number) < window.to;
    maker.add(chunk, places.filter(inWindow));
  }
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
function precedes(a: Hit, b: Hit): boolean {
  const isRoot = ({ chunk, place }: Hit): boolean =>
    ((chunk.bytes('flags')[place] as number) & FLAG.parent) === 0;
  return isRoot(a) === isRoot(b) ? compareHits(a, b) < 0 : isRoot(a);
}

/** Of two texts the greater, so that the choice does not depend on the order of events. */
export const greater = (a: string | null, b: string | null): string | null =>
  a === null || (b !== null && b > a) ? b : a;
