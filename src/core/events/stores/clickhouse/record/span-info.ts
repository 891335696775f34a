import { isLinked } from '../../../../../lib/linked-event-id.ts';
import type { EventBatch } from '../../../batch.ts';
import type { ParsedEvent, Pricing } from '../../../event.ts';
import type { CallKind } from '../../../span-tree.ts';

/** What counting calls once needs of a span, with its ids as sent. */
export type SpanInfo = {
  readonly trace: string;
  readonly span: string;
  readonly parent: string | null;
  readonly ts: number;
  /** Null if the span is not a call. */
  readonly kind: CallKind | null;
  /** Whether it has token counts or failed. */
  readonly tells: boolean;
  /** Whether it is an event of the SDK; `linkedEventId` made its id. */
  readonly linked: boolean;
  readonly counted: boolean;
};

/**
 * The spans of a batch by place, null for events that are none; null for a batch without any.
 * @param otlp whether all events are OTLP spans
 */
export function spansOf(events: EventBatch['events'], otlp: boolean): (SpanInfo | null)[] | null {
  let found = false;
  const spans = events.map(({ event, pricing }) => {
    const linked = isLinked(event.event_id, event.trace_id, event.span_id);
    if (!otlp && !linked) return null;
    found = true;
    return spanOf(event, pricing, linked);
  });
  return found ? spans : null;
}

function spanOf(event: ParsedEvent, { is_call, buckets }: Pricing, linked: boolean): SpanInfo {
  return {
    trace: event.trace_id,
    span: event.span_id,
    parent: event.parent_span_id,
    ts: event.ts,
    kind: event.kind === 'llm' || event.kind === 'embedding' ? event.kind : null,
    tells: event.status !== 'success' || Object.values(buckets).some((tokens) => tokens !== 0),
    linked,
    counted: is_call,
  };
}
