import type {
  EventSums,
  SpanNode,
  StoredEvent,
  Subtree,
  TraceReply,
  WaterfallReply,
} from '../../../src/core/events/contract.ts';
import type { PricedEvent } from '../../../src/core/events/event.ts';
import type { SentEvent } from './random-events.ts';
import { inputOf, isFailure, outputOf, sum } from './recount.ts';

const iso = (ms: number): string => new Date(ms).toISOString();

/** An event as the API returns it. */
export function toStored(sent: SentEvent): StoredEvent {
  const { ts, dated: _, is_call, buckets, cost_nano, cost_status, price: __, cost_usd: ___, ...event } = sent;
  const { input, output, tags, metadata, ...rest } = event;
  return {
    ...rest,
    timestamp: iso(ts),
    counted: is_call,
    cost_usd: is_call && cost_nano !== null ? cost_nano / 1e9 : null,
    cost_status: is_call ? cost_status : null,
    cache_write_tokens: buckets.cacheWrite5m + buckets.cacheWrite1h,
    tags: { ...tags },
    metadata: { ...metadata },
    ...(input === null ? {} : { input }),
    ...(output === null ? {} : { output }),
  };
}

const callsOf = (events: readonly PricedEvent[]): PricedEvent[] => events.filter(({ is_call }) => is_call);
const costOf = (events: readonly PricedEvent[]): number =>
  sum(callsOf(events).map(({ cost_nano }) => cost_nano ?? 0)) / 1e9;
const unpricedOf = (events: readonly PricedEvent[]): number =>
  callsOf(events).filter(({ cost_status }) => cost_status === 'unpriced').length;

/** What spans add up to: failures of any kind, all else of the calls. */
export function sumsOf(events: readonly PricedEvent[]): EventSums {
  const start = Math.min(...events.map(({ ts }) => ts));
  const end = Math.max(...events.map(({ ts, latency_ms }) => ts + (latency_ms ?? 0)));
  const calls = callsOf(events);
  return {
    start: iso(start),
    end: iso(end),
    duration_ms: Math.round((end - start) * 1000) / 1000,
    spans: events.length,
    llm_calls: calls.length,
    errors: events.filter(isFailure).length,
    cost_usd: costOf(events),
    unpriced: unpricedOf(events),
    input_tokens: sum(calls.map(inputOf)),
    output_tokens: sum(calls.map(outputOf)),
  };
}

const subtreeOf = (events: readonly PricedEvent[]): Subtree => {
  const { start: _, end: __, duration_ms: ___, ...sums } = sumsOf(events);
  return sums;
};

/** The spans of a trace, by start, as a forest: what has the span as its parent, and all below it. */
class Forest {
  readonly roots: readonly SentEvent[];
  readonly #children: Map<string | null, SentEvent[]>;

  constructor(events: readonly SentEvent[]) {
    const spans = new Set(events.map(({ span_id }) => span_id));
    this.#children = Map.groupBy(events, ({ parent_span_id: parent }) =>
      parent !== null && spans.has(parent) ? parent : null,
    );
    this.roots = this.#children.get(null) ?? [];
  }

  childrenOf = ({ span_id }: SentEvent): readonly SentEvent[] => this.#children.get(span_id) ?? [];
  /** A span and all below it, depth first. */
  downFrom = (span: SentEvent): SentEvent[] => [span, ...this.childrenOf(span).flatMap(this.downFrom)];
}

/** @param events of one trace, by time and id */
export function recountTrace(events: readonly SentEvent[]): TraceReply {
  const forest = new Forest(events);
  const toNode = (event: SentEvent): SpanNode => {
    const below = forest.downFrom(event);
    return {
      ...toStored(event),
      ...(below.length > 1 ? { subtree: subtreeOf(below) } : {}),
      ...(forest.roots.includes(event) && event.parent_span_id !== null ? { orphan: true as const } : {}),
      children: forest.childrenOf(event).map(toNode),
    };
  };
  return { trace: summaryOf(events), spans: forest.roots.map(toNode) };
}

const summaryOf = (events: readonly SentEvent[]): TraceReply['trace'] => ({
  trace_id: events[0]?.trace_id ?? '',
  ...sumsOf(events),
  truncated: false,
});

/** @param events of one trace, by time and id */
export function recountWaterfall(events: readonly SentEvent[]): WaterfallReply {
  const forest = new Forest(events);
  const order = forest.roots.flatMap(forest.downFrom);
  const parents = new Map(
    order.flatMap((span) => forest.childrenOf(span).map((child) => [child, span] as const)),
  );
  const depthOf = (span: SentEvent): number => {
    const parent = parents.get(span);
    return parent === undefined ? 0 : depthOf(parent) + 1;
  };
  const column = <T>(value: (span: SentEvent) => T): T[] => order.map(value);
  const start = Math.min(...events.map(({ ts }) => ts));
  return {
    trace: summaryOf(events),
    spans: {
      event_id: column(({ event_id }) => event_id),
      span_id: column(({ span_id }) => span_id),
      depth: column(depthOf),
      below: column((span) => forest.downFrom(span).length - 1),
      orphan: column((span) => !parents.has(span) && span.parent_span_id !== null),
      start_ms: column(({ ts }) => ts - start),
      latency_ms: column(({ latency_ms }) => latency_ms),
      kind: column(({ kind }) => kind),
      name: column(({ name, model, operation }) => name ?? model ?? operation),
      model: column(({ model }) => model),
      status: column(({ status }) => status),
      error_code: column(({ error_code }) => error_code),
      cost_usd: column((span) => costOf(forest.downFrom(span))),
      unpriced: column((span) => unpricedOf(forest.downFrom(span))),
      tokens: column((span) => {
        const { input_tokens, output_tokens } = sumsOf(forest.downFrom(span));
        return input_tokens + output_tokens;
      }),
    },
  };
}
