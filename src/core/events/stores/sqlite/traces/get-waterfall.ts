import type { Reader } from '../../../../../db/reader.ts';
import { EVENT_KINDS, EVENT_STATUSES, type WaterfallReply } from '../../../contract.ts';
import { type Linked, linkSpans, type SpanSums } from '../../shared/traces/build-tree.ts';
import { toMicros } from '../../shared/traces/to-micros.ts';
import type { Hit } from '../scan/find-hits.ts';
import { eventIdAt, nameAt, numberAt, parentIdAt, spanIdAt, textAt } from '../scan/to-event.ts';
import { findTrace } from './get-trace.ts';
import { spanSums } from './span-sums.ts';

type Columns = WaterfallReply['spans'];
interface Span extends Linked<Span> {
  readonly hit: Hit;
  depth: number;
  below: number;
  /** Including all spans below it. */
  costNano: number;
  unpriced: number;
  tokens: number;
}

/** The span columns for drawing a trace; null if the scope has no such trace. */
export function getWaterfall(reader: Reader, traceId: string): WaterfallReply | null {
  const found = findTrace(reader, traceId);
  if (found === null) return null;
  const sums = spanSums(found.spans);
  const spans = found.spans.map((hit, i) => toSpan(hit, sums[i] as SpanSums));
  return {
    trace: found.trace,
    spans: toColumns(depthFirst(linkSpans(spans)), found.spans[0]?.ts ?? 0),
  };
}

function toSpan(hit: Hit, [, , costNano, unpriced, input, output]: SpanSums): Span {
  return {
    span_id: spanIdAt(hit.chunk, hit.place),
    parent_span_id: parentIdAt(hit.chunk, hit.place),
    children: [],
    hit,
    depth: 0,
    below: 0,
    costNano,
    unpriced,
    tokens: input + output,
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
  const at = <T>(read: (hit: Hit) => T): T[] => spans.map(({ hit }) => read(hit));
  return {
    event_id: at(({ chunk, place }) => eventIdAt(chunk, place)),
    span_id: spans.map(({ span_id }) => span_id),
    depth: spans.map(({ depth }) => depth),
    below: spans.map(({ below }) => below),
    orphan: spans.map(({ orphan }) => orphan === true),
    start_ms: at(({ ts }) => toMicros(ts - start)),
    latency_ms: at(({ chunk, place }) => numberAt(chunk, 'latency_ms', place)),
    kind: at(({ chunk, place }) => EVENT_KINDS[chunk.bytes('kind')[place] as number] ?? 'span'),
    name: at(
      ({ chunk, place }) =>
        nameAt(chunk, place) ?? textAt(chunk, 'model', place) ?? textAt(chunk, 'operation', place) ?? '',
    ),
    model: at(({ chunk, place }) => textAt(chunk, 'model', place)),
    status: at(({ chunk, place }) => EVENT_STATUSES[chunk.bytes('status')[place] as number] ?? 'error'),
    error_code: at(({ chunk, place }) => textAt(chunk, 'error_code', place)),
    cost_usd: spans.map(({ costNano }) => costNano / 1e9),
    unpriced: spans.map(({ unpriced }) => unpriced),
    tokens: spans.map(({ tokens }) => tokens),
  };
}
