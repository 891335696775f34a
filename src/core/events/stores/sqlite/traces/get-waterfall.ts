import type { SqlValue } from '../../../../../db/connection.ts';
import type { Reader } from '../../../../../db/reader.ts';
import { EVENT_KINDS, EVENT_STATUSES, MAX_TRACE_SPANS, type WaterfallReply } from '../../../contract.ts';
import { bytesToUuid, unpackId } from '../rows/ids.ts';
import { rowValue } from '../rows/sums.ts';
import { type Linked, linkSpans } from './build-tree.ts';
import { FROM_KEYS, keysOfTrace, summaryOf } from './get-trace.ts';

const ifCall = (value: string): string => `iif(is_call, ${value}, 0)`;

/** In the order in which `toSpan` reads them. */
const COLUMNS = [
  'span_id',
  'parent_span_id',
  'event_id',
  'ts',
  'latency_ms',
  'kind',
  "coalesce((SELECT json FROM event_shapes WHERE id = events.shape) ->> 'name', detail ->> 'name')",
  'model',
  'operation',
  'status',
  'error_code',
  ifCall('ifnull(cost_nano, 0)'),
  ifCall(rowValue('unpriced')),
  ifCall(`${rowValue('input_tokens')} + ${rowValue('output_tokens')}`),
].join(', ');

type Columns = WaterfallReply['spans'];
interface Span extends Linked<Span> {
  readonly row: readonly SqlValue[];
  depth: number;
  below: number;
  /** Including all spans below it. */
  costNano: number;
  unpriced: number;
  tokens: number;
}

/** The span columns for drawing a trace; null if the scope has no such trace. */
export function getWaterfall(reader: Reader, traceId: string): WaterfallReply | null {
  for (const project of reader.projects) {
    const keys = keysOfTrace(reader, project, traceId);
    if (keys === null) continue;
    const rows = reader.rows(
      `SELECT ${COLUMNS} ${FROM_KEYS} ORDER BY ts, event_id LIMIT ${MAX_TRACE_SPANS}`,
      [project, keys],
    );
    return {
      trace: summaryOf(reader, { project, traceId, keys }, rows.length),
      spans: toColumns(depthFirst(linkSpans(rows.map(toSpan))), Number(rows[0]?.[3])),
    };
  }
  return null;
}

function toSpan(row: readonly SqlValue[]): Span {
  const [span, parent = null] = row;
  const number = (place: number): number => Number(row[place] ?? 0);
  return {
    span_id: unpackId(span ?? null),
    parent_span_id: parent === null ? null : unpackId(parent),
    children: [],
    row,
    depth: 0,
    below: 0,
    costNano: number(11),
    unpriced: number(12),
    tokens: number(13),
  };
}

/**
 * Spans in depth-first order, with sums over their subtrees. Iterative, because a chain can be as long as a trace.
 */
function depthFirst(roots: readonly Span[]): Span[] {
  const order: Span[] = [];
  const open = roots.toReversed();
  for (let span = open.pop(); span !== undefined; span = open.pop()) {
    order.push(span);
    for (const child of span.children.toReversed()) {
      child.depth = span.depth + 1;
      open.push(child);
    }
  }
  // Backwards, so that a span is complete before it is added to its parent.
  for (const span of order.toReversed()) {
    for (const child of span.children) {
      span.below += child.below + 1;
      span.costNano += child.costNano;
      span.unpriced += child.unpriced;
      span.tokens += child.tokens;
    }
  }
  return order;
}

function toColumns(spans: readonly Span[], start: number): Columns {
  const at = <T>(place: number, read: (value: SqlValue) => T): T[] =>
    spans.map(({ row }) => read(row[place] ?? null));
  const text = (value: SqlValue): string | null => value as string | null;
  return {
    event_id: at(2, bytesToUuid),
    span_id: spans.map(({ span_id }) => span_id),
    depth: spans.map(({ depth }) => depth),
    below: spans.map(({ below }) => below),
    orphan: spans.map(({ orphan }) => orphan === true),
    start_ms: at(3, (ts) => toMicros(Number(ts) - start)),
    latency_ms: at(4, (value) => value as number | null),
    kind: at(5, (value) => EVENT_KINDS[Number(value)] ?? 'span'),
    name: spans.map(({ row }) => text(row[6] ?? null) ?? text(row[7] ?? null) ?? text(row[8] ?? null) ?? ''),
    model: at(7, text),
    status: at(9, (value) => EVENT_STATUSES[Number(value)] ?? 'error'),
    error_code: at(10, text),
    cost_usd: spans.map(({ costNano }) => costNano / 1e9),
    unpriced: spans.map(({ unpriced }) => unpriced),
    tokens: spans.map(({ tokens }) => tokens),
  };
}

/** Rounds, because a double of epoch milliseconds is exact only to a fraction of a microsecond. */
const toMicros = (ms: number): number => Math.round(ms * 1_000) / 1_000;
