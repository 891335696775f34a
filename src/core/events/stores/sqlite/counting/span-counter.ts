import { linkedEventId } from '../../../../../lib/linked-event-id.ts';
import { DAY_MS } from '../../../../../lib/time.ts';
import { recountCalls } from '../../../count-once.ts';
import { spanEventId } from '../../../span-event-id.ts';
import { addSpan, createSpanTree, type SpanTree, type TreeSpan } from '../../../span-tree.ts';
import { ID_WORDS } from '../columns.ts';
import type { SpanInfo } from '../ingest/span-info.ts';
import { idWords, manyIdWords } from '../packs/id-bytes.ts';
import { loadSpans, type Trace } from './load-spans.ts';
import { RecentTrees } from './recent-trees.ts';
import type { StoredSpans } from './stored-spans.ts';

/** A stored event whose flag `call` must become `counted`. The id is in the words of its column. */
export type Flip = { readonly ts: number; readonly eventId: Int32Array; readonly counted: boolean };

/** What a batch changes: places of its own whose flag differs from the one sent, and earlier events. */
export type Recount = { readonly own: readonly number[]; readonly earlier: readonly Flip[] };

/** A batch with spans, and the number that it will have in the log. */
export type SpanBatch = {
  readonly project: number;
  readonly seq: number;
  /** By place; null for an event that is not compared. */
  readonly spans: readonly (SpanInfo | null)[];
  /** Places of duplicates. */
  readonly dropped: readonly number[];
};

/** Counts each call of OTLP spans once, across all batches of its trace. */
export type SpanCounter = {
  /** Counts a batch before it is stored. */
  count(batch: SpanBatch): Recount;
  /** Reverts the last count, because its batch was not stored. */
  undo(): void;
  /** Clears the trees after a rollback. */
  forget(): void;
};

/** Maximum number of spans of a trace that are counted together; a longer trace is counted in separate parts. */
const MAX_SPANS = 50_000;

export function createSpanCounter(stored: StoredSpans): SpanCounter {
  const trees = new RecentTrees<SpanTree>();
  let counted: string[] = [];

  /** The stored spans of a trace, from memory or from the batches and segments that may contain them. */
  function treeOf(project: number, trace: Trace, spans: readonly SpanInfo[]): SpanTree {
    const key = keyOf(project, trace.id);
    const known = trees.get(key);
    if (known !== undefined && known.spans.size < MAX_SPANS) return known;
    trees.delete(key);
    const tree = createSpanTree();
    if (known === undefined)
      for (const part of stored.of(project, trace, daysOf(spans))) {
        if (tree.spans.size >= MAX_SPANS) break;
        stored.unlessDamaged(part, () => loadSpans(tree, trace, part));
      }
    trees.set(key, tree);
    return tree;
  }

  function countTrace(
    { project, seq, spans, dropped }: SpanBatch,
    trace: Trace,
    places: readonly number[],
  ): Recount {
    const infoAt = (place: number): SpanInfo => spans[place] as SpanInfo;
    const tree = treeOf(project, trace, places.map(infoAt));
    const before = tree.spans.size;
    const added = new Map<TreeSpan, number>();
    /** A repetition of a span with the same id never counts. */
    const repeated: number[] = [];
    for (const place of places) {
      const node = addSpan<TreeSpan>(
        tree,
        { ...infoAt(place), parent: null, children: [] },
        infoAt(place).parent,
      );
      if (node !== null) added.set(node, place);
      else if (infoAt(place).counted) repeated.push(place);
    }
    trees.grew(tree.spans.size - before);
    stored.note(project, trace.words, seq);
    const changed = recountCalls([...added.keys()], tree.cut.splice(0));
    const own = [...changed.flatMap((node) => added.get(node) ?? []), ...repeated];
    const earlier = changed.filter((node) => !added.has(node));
    return {
      own: own.filter((place) => !dropped.includes(place)),
      earlier: earlier.map((node) => toFlip(trace.id, node)),
    };
  }

  return {
    count(batch) {
      const places = [...batch.spans.keys()].filter((place) => batch.spans[place] !== null);
      const traces = Map.groupBy(places, (place) => batch.spans[place]?.trace ?? '');
      const ids = [...traces.keys()];
      counted = ids.map((id) => keyOf(batch.project, id));
      const words = manyIdWords('trace_id', ids);
      const recounts = ids.map((id, i) =>
        countTrace(
          batch,
          { id, words: words.subarray(i * ID_WORDS.trace_id, (i + 1) * ID_WORDS.trace_id) },
          traces.get(id) ?? [],
        ),
      );
      return {
        own: recounts.flatMap(({ own }) => own),
        earlier: recounts.flatMap(({ earlier }) => earlier),
      };
    },
    undo() {
      for (const key of counted) trees.delete(key);
    },
    forget: () => trees.clear(),
  };
}

const keyOf = (project: number, trace: string): string => `${project} ${trace}`;
const daysOf = (spans: readonly SpanInfo[]): Set<number> =>
  new Set(spans.map(({ ts }) => Math.floor(ts / DAY_MS)));

const toFlip = (trace: string, { ts, span, linked, counted }: TreeSpan): Flip => ({
  ts,
  eventId: idWords('event_id', (linked ? linkedEventId(trace, span) : null) ?? spanEventId(trace, span)),
  counted,
});
