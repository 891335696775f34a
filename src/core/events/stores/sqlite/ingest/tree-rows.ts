import type { Connection, SqlValue } from '../../../../../db/connection.ts';
import { EVENT_KINDS } from '../../../contract.ts';
import { spanEventId } from '../../../span-event-id.ts';
import { addSpan, type CallKind, type SpanTree, type TreeSpan } from '../../../span-tree.ts';
import { bytesToUuid, idToWire, unpackId, wireToId } from '../rows/ids.ts';
import { STATUS } from '../rows/numbers.ts';
import { C } from '../rows/row.ts';
import { rowValue } from '../rows/sums.ts';

const CALL_KINDS: readonly (CallKind | null)[] = EVENT_KINDS.map((kind) =>
  kind === 'llm' || kind === 'embedding' ? kind : null,
);

/** Columns of a look-up, in the order that `addStored` reads. */
const STORED = `ts, event_id, span_id, parent_span_id, kind, is_call,
  status <> ${STATUS.success} OR ${rowValue('input_tokens')} + ${rowValue('output_tokens')} > 0`;

/** Returns a function that adds the stored spans of a trace (id as on the wire) in a chunk to its tree. */
export function createSpanLoader(
  connection: Connection,
): (tree: SpanTree, of: { project: number; chunk: number; traceId: string }) => void {
  const readSpans = connection
    // Without the hint the planner scans the whole project.
    .prepare(
      `SELECT ${STORED} FROM events INDEXED BY events_trace WHERE project = ? AND chunk = ? AND trace_id = ?`,
    )
    .raw(true);
  return (tree, { project, chunk, traceId }) => {
    const rows = readSpans.all([project, chunk, wireToId(traceId)]) as SqlValue[][];
    for (const row of rows) addStored(tree, traceId.slice(1), row);
  };
}

const TOKENS = [
  C.fresh_tokens,
  C.cache_read_tokens,
  C.cache_write_tokens,
  C.cache_write_1h_tokens,
  C.output_tokens,
  C.reasoning_tokens,
];

/** Adds the span of a row that is not stored yet; null if the tree has it. */
export function addNew(tree: SpanTree, row: readonly SqlValue[]): TreeSpan | null {
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
