import type { Reader } from '../../../../../db/reader.ts';
import { MAX_TRACE_SPANS, type TraceReply, type TraceSummary } from '../../../contract.ts';
import { buildTree } from '../../shared/traces/build-tree.ts';
import type { Chunk, ChunkRef } from '../scan/chunk.ts';
import { findHits, type Hit } from '../scan/find-hits.ts';
import { keyOfLabels } from '../scan/key-of-label.ts';
import { likelyIds } from '../scan/likely-ids.ts';
import { ALL_TIME, chunksOf } from '../scan/open-chunks.ts';
import { toEvent } from '../scan/to-event.ts';
import { createTotals } from './event-totals.ts';
import { spanSums } from './span-sums.ts';
import { soughtTrace, tracePlaces } from './trace-places.ts';

/** A trace with its first spans by start time, at most `MAX_TRACE_SPANS`. */
export type FoundTrace = {
  readonly trace: TraceSummary & { readonly truncated: boolean };
  readonly spans: readonly Hit[];
};

/** A trace's spans as a tree with their sums; null if the scope has no such trace. */
export function getTrace(reader: Reader, traceId: string): TraceReply | null {
  const found = findTrace(reader, traceId);
  if (found === null) return null;
  const keyOf = keyOfLabels(reader);
  const events = found.spans.map(({ chunk, place }) => toEvent(chunk, place, keyOf));
  return { trace: found.trace, spans: buildTree(events, spanSums(found.spans)) };
}

/** Finds a trace in the first project of the scope that has it; null if there is none. It can be at any time. */
export function findTrace(reader: Reader, traceId: string): FoundTrace | null {
  const sought = soughtTrace(traceId);
  for (const project of reader.projects) {
    const masks = new Map<Chunk, Uint8Array>();
    const refs: ChunkRef[] = [];
    const totals = createTotals();
    for (const ref of likelyIds(reader, chunksOf(reader, project, ALL_TIME), 'trace_id', [sought]).keys()) {
      const chunk = ref.open();
      const places = tracePlaces(chunk, [sought]).get(sought);
      if (places === undefined) continue;
      const mask = new Uint8Array(chunk.events);
      for (const place of places) mask[place] = 1;
      totals.add(chunk, places);
      masks.set(chunk, mask);
      // Opened anew it would be another chunk, without a mask.
      refs.push({ ...ref, open: () => chunk });
    }
    if (refs.length === 0) continue;
    const query = { order: 'oldest', after: null, limit: MAX_TRACE_SPANS } as const;
    const spans = findHits(refs, (chunk) => masks.get(chunk) ?? null, query);
    const sums = totals.sums();
    return { trace: { trace_id: traceId, ...sums, truncated: sums.spans > spans.length }, spans };
  }
  return null;
}
