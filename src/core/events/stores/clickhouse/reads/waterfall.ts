import type { WaterfallReply } from '../../../contract.ts';
import { type Linked, linkSpans, type SpanSums } from '../../shared/traces/build-tree.ts';
import { toMicros } from '../../shared/traces/to-micros.ts';
import type { StoredRow } from '../rows/to-event.ts';

interface Span extends Linked<Span> {
  readonly row: StoredRow;
  depth: number;
  below: number;
  /** Including all spans below it. */
  costNano: number;
  unpriced: number;
  tokens: number;
}

/** The spans of a trace in columns, depth first. @param rows by start */
export function waterfallOf(
  rows: readonly StoredRow[],
  sumsOf: (row: StoredRow) => SpanSums,
): WaterfallReply['spans'] {
  const spans = depthFirst(linkSpans(rows.map((row) => toSpan(row, sumsOf(row)))));
  const start = rows[0]?.ts ?? 0;
  const at = <T>(read: (row: StoredRow) => T): T[] => spans.map(({ row }) => read(row));
  return {
    event_id: at(({ event_id }) => event_id),
    span_id: at(({ span_id }) => span_id),
    depth: spans.map(({ depth }) => depth),
    below: spans.map(({ below }) => below),
    orphan: spans.map(({ orphan }) => orphan === true),
    start_ms: at(({ ts }) => toMicros(ts - start)),
    latency_ms: at(({ latency_ms }) => latency_ms),
    kind: at(({ kind }) => kind),
    name: at(({ name, model, operation }) => name ?? model ?? operation),
    model: at(({ model }) => model),
    status: at(({ status }) => status),
    error_code: at(({ error_code }) => error_code),
    cost_usd: spans.map(({ costNano }) => costNano / 1e9),
    unpriced: spans.map(({ unpriced }) => unpriced),
    tokens: spans.map(({ tokens }) => tokens),
  };
}

const toSpan = (row: StoredRow, [, , costNano, unpriced, input, output]: SpanSums): Span => ({
  span_id: row.span_id,
  parent_span_id: row.parent_span_id,
  children: [],
  row,
  depth: 0,
  below: 0,
  costNano,
  unpriced,
  tokens: input + output,
});

/** Iterative, because a chain can be as long as a trace. */
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
