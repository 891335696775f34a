import type { Connection, SqlValue } from '../../../../../db/connection.ts';
import { recountCalls } from '../../../count-once.ts';
import { spanEventId } from '../../../span-event-id.ts';
import { createSpanTree, type SpanTree, type TreeSpan } from '../../../span-tree.ts';
import { C } from '../rows/row.ts';
import { createTraceFilters, type TraceFilters } from '../traces/trace-filters.ts';
import { RecentTrees } from './recent-trees.ts';
import { addNew, createSpanLoader } from './tree-rows.ts';

/** A stored event whose `is_call` must change. `eventId` is a UUID. */
export type Flip = { readonly ts: number; readonly eventId: string; readonly isCall: 0 | 1 };

/** Maximum number of spans of a trace that are counted together; a longer trace is counted in separate parts. */
const MAX_SPANS = 50_000;

/** Counts each call of OTLP spans once, across all batches of its trace. */
export class SpanCounter {
  readonly #filters: TraceFilters;
  readonly #loadSpans: ReturnType<typeof createSpanLoader>;
  readonly #trees = new RecentTrees();
  /** Keys of the traces of the last count. */
  #counted: string[] = [];

  constructor(connection: Connection) {
    this.#filters = createTraceFilters(connection);
    this.#loadSpans = createSpanLoader(connection);
  }

  /**
   * Sets `is_call` of rows before they are stored (ids as on the wire) and returns the stored events that change as a
   * result.
   */
  count(project: number, rows: readonly SqlValue[][]): Flip[] {
    const traces = Map.groupBy(rows, (row) => row[C.trace_id] as string);
    this.#counted = [...traces.keys()].map((traceId) => keyOf(project, traceId));
    return [...traces].flatMap(([traceId, spans]) => {
      const flips = this.#countTrace(project, traceId, spans);
      this.#filters.add(project, spans[0]?.[C.chunk] as number, traceId);
      return flips;
    });
  }

  /** Reverts the last count, because its rows were not stored. */
  undo(): void {
    for (const key of this.#counted) this.#trees.delete(key);
  }

  flush(isFull: (project: number, chunk: number) => boolean): void {
    this.#filters.flush(isFull);
  }

  discard(): void {
    this.#trees.clear();
    this.#filters.discard();
  }

  #countTrace(project: number, traceId: string, rows: readonly SqlValue[][]): Flip[] {
    const tree = this.#treeOf(project, traceId);
    const before = tree.spans.size;
    const added = new Map<TreeSpan, SqlValue[]>();
    for (const row of rows) {
      const node = addNew(tree, row);
      if (node !== null) added.set(node, row);
      // A repetition of a span with the same id never counts.
      else row[C.is_call] = 0;
    }
    this.#trees.grew(tree.spans.size - before);
    return recountCalls([...added.keys()]).flatMap((node) => {
      const row = added.get(node);
      if (row === undefined) return toFlip(traceId, node);
      row[C.is_call] = 0;
      return [];
    });
  }

  /** The stored spans of a trace, from memory or from the chunks that may contain them. */
  #treeOf(project: number, traceId: string): SpanTree {
    const key = keyOf(project, traceId);
    const known = this.#trees.get(key);
    if (known !== undefined && known.spans.size < MAX_SPANS) return known;
    this.#trees.delete(key);
    const tree = createSpanTree();
    if (known === undefined) this.#load(tree, project, traceId);
    this.#trees.set(key, tree);
    return tree;
  }

  #load(tree: SpanTree, project: number, traceId: string): void {
    for (const chunk of this.#filters.chunksOf(project, traceId)) {
      if (tree.spans.size >= MAX_SPANS) return;
      this.#loadSpans(tree, { project, chunk, traceId });
    }
  }
}

const keyOf = (project: number, traceId: string): string => `${project} ${traceId}`;

const toFlip = (traceId: string, { ts, span, counted }: TreeSpan): Flip => ({
  ts,
  eventId: spanEventId(traceId.slice(1), span.slice(1)),
  isCall: counted ? 1 : 0,
});
