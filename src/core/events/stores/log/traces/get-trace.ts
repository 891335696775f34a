import type { Reader } from '../../../../../db/reader.ts';
import { MAX_TRACE_SPANS, type TraceReply, type TraceSummary } from '../../../contract.ts';
import { buildTree, type SpanSums } from '../../sqlite/traces/build-tree.ts';
import { adderOf, createSums, S } from '../scan/call-sums.ts';
import type { Chunk } from '../scan/chunk.ts';
import { findHits, type Hit } from '../scan/find-hits.ts';
import { keyOfLabels } from '../scan/key-of-label.ts';
import { ALL_TIME, type ChunkRef, chunksOf } from '../scan/open-chunks.ts';
import { toEvent } from '../scan/to-event.ts';
import { createTotals, isCounted } from './event-totals.ts';
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
    for (const ref of chunksOf(reader, project, ALL_TIME)) {
      const chunk = ref.open();
      const places = tracePlaces(chunk, [sought]).get(sought);
      if (places === undefined) continue;
      const mask = new Uint8Array(chunk.events);
      for (const place of places) {
        mask[place] = 1;
        totals.add(chunk, place);
      }
      masks.set(chunk, mask);
      refs.push(ref);
    }
    if (refs.length === 0) continue;
    const query = { order: 'oldest', after: null, limit: MAX_TRACE_SPANS } as const;
    const spans = findHits(refs, (chunk) => masks.get(chunk) ?? null, query);
    const sums = totals.sums();
    return { trace: { trace_id: traceId, ...sums, truncated: sums.spans > spans.length }, spans };
  }
  return null;
}

/** Contribution of each span to its ancestors' sums. */
export function spanSums(spans: readonly Hit[]): SpanSums[] {
  const adders = new Map<Chunk, ReturnType<typeof adderOf>>();
  const sums = createSums();
  return spans.map(({ chunk, place }): SpanSums => {
    const add = adders.get(chunk) ?? adderOf(chunk);
    adders.set(chunk, add);
    sums.fill(0);
    add(sums, place);
    const at = (sum: number): number => sums[sum] as number;
    if (!isCounted(chunk, place)) return [0, at(S.errors), 0, 0, 0, 0];
    return [1, at(S.errors), at(S.cost_nano), at(S.unpriced), at(S.input_tokens), at(S.output_tokens)];
  });
}
