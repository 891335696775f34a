import { linkedEventId } from '../../../../../lib/linked-event-id.ts';
import { recountCalls } from '../../../count-once.ts';
import { spanEventId } from '../../../span-event-id.ts';
import { addSpan, createSpanTree, NO_CHILDREN, type SpanTree, type TreeSpan } from '../../../span-tree.ts';
import type { BatchTrace, TracedBatch } from '../ingest/batch-traces.ts';
import { callKindOf, MARK } from '../ingest/span-columns.ts';
import { idWords } from '../packs/id-bytes.ts';
import { loadSpans } from './load-spans.ts';
import type { StoredSpans } from './stored-spans.ts';

/** A stored event whose flag `call` must become `counted`. The id is in the words of its column. */
export type Flip = { readonly ts: number; readonly eventId: Int32Array; readonly counted: boolean };

/** What a batch changes: places of its own whose flag differs from the one sent, and earlier events. */
export type Recount = { readonly own: readonly number[]; readonly earlier: readonly Flip[] };

/** Counts each call of OTLP spans once, across all batches of its trace. */
export type SpanCounter = {
  /** Counts a batch before it is stored. */
  count(batch: TracedBatch): Recount;
  /** Reverts the last count, because its batch was not stored. */
  undo(): void;
};

/** Maximum number of spans of a trace that are counted together; a longer trace is counted in separate parts. */
const MAX_SPANS = 50_000;

export function createSpanCounter(stored: StoredSpans): SpanCounter {
  let counted: readonly BatchTrace[] = [];

  /** The stored spans of a trace, from memory or from the batches and segments that may contain them. */
  function treeOf({ project, times }: TracedBatch, trace: BatchTrace): SpanTree {
    const known = trace.trees.count;
    if (known !== null && known.spans.size < MAX_SPANS) return known;
    const tree = createSpanTree();
    if (known === null)
      for (const part of stored.partsOf(project, trace, times)) {
        if (tree.spans.size >= MAX_SPANS) break;
        stored.unlessDamaged(part, () => loadSpans(tree, trace, part));
      }
    trace.trees.count = tree;
    return tree;
  }

  function countTrace(batch: TracedBatch, trace: BatchTrace, recount: Changes): void {
    const { project, seq, columns, dropped } = batch;
    const { own, earlier } = recount;
    const tree = treeOf(batch, trace);
    const added = new Map<TreeSpan, number>();
    for (const place of trace.places) {
      const mark = columns.marks[place] as number;
      if (mark === 0) continue;
      const node = addSpan<TreeSpan>(tree, nodeAt(batch, place, mark), columns.parents[place] ?? null);
      if (node !== null) added.set(node, place);
      // A repetition of a span with the same id never counts.
      else if ((mark & MARK.counted) !== 0 && !dropped.has(place)) own.push(place);
    }
    stored.note(project, trace.words, seq);
    if (added.size === 0) return;
    for (const node of recountCalls([...added.keys()], tree.cut.splice(0))) {
      const place = added.get(node);
      if (place === undefined) earlier.push(toFlip(trace.id, node));
      else if (!dropped.has(place)) own.push(place);
    }
  }

  return {
    count(batch) {
      counted = batch.traces;
      const recount: Changes = { own: [], earlier: [] };
      for (const trace of batch.traces) countTrace(batch, trace, recount);
      return recount;
    },
    undo() {
      for (const { trees } of counted) {
        trees.count = null;
        trees.parts = null;
      }
    },
  };
}

type Changes = { readonly own: number[]; readonly earlier: Flip[] };

const nodeAt = ({ columns, times }: TracedBatch, place: number, mark: number): TreeSpan => ({
  span: columns.spans[place] as string,
  ts: times[place] as number,
  kind: callKindOf(mark),
  tells: (mark & MARK.tells) !== 0,
  linked: (mark & MARK.linked) !== 0,
  counted: (mark & MARK.counted) !== 0,
  parent: null,
  children: NO_CHILDREN,
});

const toFlip = (trace: string, { ts, span, linked, counted }: TreeSpan): Flip => ({
  ts,
  eventId: idWords('event_id', (linked ? linkedEventId(trace, span) : null) ?? spanEventId(trace, span)),
  counted,
});
