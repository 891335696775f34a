import type { Connection, SqlValue } from '../../../../../db/connection.ts';
import { EVENT_KINDS } from '../../../contract.ts';
import { recountCalls } from '../../../count-once.ts';
import { spanEventId } from '../../../span-event-id.ts';
import { addSpan, type CallKind, createSpanTree, type SpanTree, type TreeSpan } from '../../../span-tree.ts';
import { bytesToUuid, idToWire, unpackId, wireToId } from '../rows/ids.ts';
import { STATUS } from '../rows/numbers.ts';
import { C } from '../rows/row.ts';
import { rowValue } from '../rows/sums.ts';
import { createTraceFilters } from '../traces/trace-filters.ts';

/** A stored event whose `is_call` must change. `eventId` is a UUID. */
export type Flip = { readonly ts: number; readonly eventId: string; readonly isCall: 0 | 1 };

/** Counts each call of OTLP spans once, across all batches of its trace. */
export type SpanCounter = {
  /**
   * Sets `is_call` of rows before they are stored (ids as on the wire) and returns the stored events that change as a
   * result.
   */
  count(project: number, rows: readonly SqlValue[][]): Flip[];
  /** Reverts the last count, because its rows were not stored. */
  undo(): void;
  flush(isFull: (project: number, chunk: number) => boolean): void;
  discard(): void;
};

/** Maximum number of spans of a trace that are counted together; a longer trace is counted in separate parts. */
const MAX_SPANS = 50_000;
/** Spans in memory (about 400 bytes each), of the most recently extended traces. */
const REMEMBERED = 40_000;

const CALL_KINDS: readonly (CallKind | null)[] = EVENT_KINDS.map((kind) =>
  kind === 'llm' || kind === 'embedding' ? kind : null,
);

/** Columns of a look-up, in the order that `addStored` reads. */
const STORED = `ts, event_id, span_id, parent_span_id, kind, is_call,
  status <> ${STATUS.success} OR ${rowValue('input_tokens')} + ${rowValue('output_tokens')} > 0`;

export function createSpanCounter(connection: Connection): SpanCounter {
  const filters = createTraceFilters(connection);
  const readSpans = connection
    // Without the hint the planner scans the whole project.
    .prepare(
      `SELECT ${STORED} FROM events INDEXED BY events_trace WHERE project = ? AND chunk = ? AND trace_id = ?`,
    )
    .raw(true);
  /** Two generations, because deleting the oldest entries of one map one by one is slow. */
  let young = new Map<string, SpanTree>();
  let old = new Map<string, SpanTree>();
  let youngSpans = 0;
  let counted: string[] = [];

  /** The stored spans of a trace, from memory or from the chunks that may contain them. */
  function treeOf(project: number, traceId: string): SpanTree {
    const key = keyOf(project, traceId);
    const known = young.get(key) ?? old.get(key);
    if (known !== undefined && known.spans.size < MAX_SPANS) {
      if (!young.has(key)) keep(key, known);
      return known;
    }
    drop(key);
    const tree = createSpanTree();
    if (known === undefined) load(tree, project, traceId);
    keep(key, tree);
    return tree;
  }

  function keep(key: string, tree: SpanTree): void {
    if (youngSpans > REMEMBERED / 2) {
      old = young;
      young = new Map();
      youngSpans = 0;
    }
    young.set(key, tree);
    youngSpans += tree.spans.size;
  }

  function drop(key: string): void {
    youngSpans -= young.get(key)?.spans.size ?? 0;
    young.delete(key);
    old.delete(key);
  }

  function load(tree: SpanTree, project: number, traceId: string): void {
    for (const chunk of filters.chunksOf(project, traceId)) {
      if (tree.spans.size >= MAX_SPANS) return;
      const rows = readSpans.all([project, chunk, wireToId(traceId)]) as SqlValue[][];
      for (const row of rows) addStored(tree, traceId.slice(1), row);
    }
  }

  function countTrace(project: number, traceId: string, rows: readonly SqlValue[][]): Flip[] {
    const tree = treeOf(project, traceId);
    const before = tree.spans.size;
    const added = new Map<TreeSpan, SqlValue[]>();
    for (const row of rows) {
      const node = addNew(tree, row);
      if (node !== null) added.set(node, row);
      // A repetition of a span with the same id never counts.
      else row[C.is_call] = 0;
    }
    youngSpans += tree.spans.size - before;
    return recountCalls([...added.keys()]).flatMap((node) => {
      const row = added.get(node);
      if (row === undefined) return toFlip(traceId, node);
      row[C.is_call] = 0;
      return [];
    });
  }

  return {
    count(project, rows) {
      const traces = Map.groupBy(rows, (row) => row[C.trace_id] as string);
      counted = [...traces.keys()].map((traceId) => keyOf(project, traceId));
      return [...traces].flatMap(([traceId, spans]) => {
        const flips = countTrace(project, traceId, spans);
        filters.add(project, spans[0]?.[C.chunk] as number, traceId);
        return flips;
      });
    },
    undo() {
      for (const key of counted) drop(key);
    },
    flush: (isFull) => filters.flush(isFull),
    discard() {
      young = new Map();
      old = new Map();
      youngSpans = 0;
      filters.discard();
    },
  };
}

const keyOf = (project: number, traceId: string): string => `${project} ${traceId}`;

const toFlip = (traceId: string, { ts, span, counted }: TreeSpan): Flip => ({
  ts,
  eventId: spanEventId(traceId.slice(1), span.slice(1)),
  isCall: counted ? 1 : 0,
});

const TOKENS = [
  C.fresh_tokens,
  C.cache_read_tokens,
  C.cache_write_tokens,
  C.cache_write_1h_tokens,
  C.output_tokens,
  C.reasoning_tokens,
];

function addNew(tree: SpanTree, row: readonly SqlValue[]): TreeSpan | null {
  const tells = row[C.status] !== STATUS.success || TOKENS.some((place) => row[place] !== 0);
  const given = {
    span: row[C.span_id] as string,
    ts: row[C.ts] as number,
    kind: CALL_KINDS[row[C.kind] as number] ?? null,
    tells,
    counted: row[C.is_call] === 1,
  };
  return addSpan(tree, given, row[C.parent_span_id] as string | null);
}

/** Adds only OTLP spans, recognised by their derived event id. Native events are not deduplicated. */
function addStored(tree: SpanTree, traceId: string, row: readonly SqlValue[]): void {
  const [ts, eventId = null, spanId = null, parent = null, kind, isCall, tells] = row;
  const span = unpackId(spanId);
  if (bytesToUuid(eventId) !== spanEventId(traceId, span)) return;
  const given = {
    span: idToWire(span),
    ts: Number(ts),
    kind: CALL_KINDS[Number(kind)] ?? null,
    tells: tells === 1,
    counted: isCall === 1,
  };
  addSpan(tree, given, parent === null ? null : idToWire(unpackId(parent)));
}
