import type { Reader } from '../../../../../db/reader.ts';
import type { Selection, Window } from '../../../selection.ts';
import type { Position } from '../queries/cursor.ts';
import { likelyIds } from '../scan/likely-ids.ts';
import { matchesOf } from '../scan/match.ts';
import { chunksOf } from '../scan/open-chunks.ts';
import { TRACE_GAP_MS } from './trace-lines.ts';
import { soughtTrace, tracePlaces } from './trace-places.ts';

/** The part of a list before a time. */
type Before = {
  readonly project: number;
  readonly to: number;
  readonly query: Selection & { readonly window: Window };
};

/** Of some traces, those with a matching event in the day before their first event; they are listed there. */
export function tracesSeenBefore(
  reader: Reader,
  { project, to, query }: Before,
  traces: readonly Position[],
): Set<Position> {
  const seen = new Set<Position>();
  const sought = traces.map((start) => ({ ...soughtTrace(start.id), start }));
  const earliest = Math.min(...traces.map(({ ts }) => ts)) - TRACE_GAP_MS;
  const window = { from: Math.max(query.window.from, earliest), to };
  if (window.from >= window.to) return seen;
  for (const [ref, likely] of likelyIds(reader, chunksOf(reader, project, window), 'trace_id', sought)) {
    const open = likely.filter(({ start }) => !seen.has(start) && ref.last >= start.ts - TRACE_GAP_MS);
    if (open.length === 0) continue;
    const chunk = ref.open();
    const found = tracePlaces(chunk, open);
    const mask = found.size === 0 ? null : matchesOf(chunk, query, window);
    if (mask === null) continue;
    const ts = chunk.numbers('ts');
    for (const [{ start }, places] of found)
      if (places.some((place) => mask[place] === 1 && (ts[place] as number) >= start.ts - TRACE_GAP_MS))
        seen.add(start);
  }
  return seen;
}
