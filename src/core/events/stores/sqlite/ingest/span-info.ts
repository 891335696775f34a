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
  readonly counted: boolean;
};

export function spanOf(event: ParsedEvent, { is_call, buckets }: Pricing): SpanInfo {
  return {
    trace: event.trace_id,
    span: event.span_id,
    parent: event.parent_span_id,
    ts: event.ts,
    kind: event.kind === 'llm' || event.kind === 'embedding' ? event.kind : null,
    tells: event.status !== 'success' || Object.values(buckets).some((tokens) => tokens !== 0),
    counted: is_call,
  };
}
