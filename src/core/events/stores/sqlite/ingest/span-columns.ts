import { isLinked } from '../../../../../lib/linked-event-id.ts';
import type { EventBatch } from '../../../batch.ts';
import type { ParsedEvent, Pricing } from '../../../event.ts';
import type { CallKind } from '../../../span-tree.ts';
import { type OwnLinks, ownLinksOf } from '../links/own-links.ts';

/** What relates the events of a batch to those of their traces, by place, with ids as sent. */
export type SpanColumns = Ids & {
  /** What counting calls once needs: bits of `MARK`, 0 for an event that is not compared. */
  readonly marks: Uint8Array;
  /** Null for a batch without a place in the graph of agents and tools. */
  readonly links: OwnLinks | null;
};

type Ids = {
  readonly traces: readonly string[];
  readonly spans: readonly string[];
  readonly parents: readonly (string | null)[];
};

/**
 * The columns with the ids as one text of JSON. A batch is copied to the writer's thread, which takes several times as
 * long with a text per id, and longer still with an object per event.
 */
export type SentSpanColumns = Omit<SpanColumns, keyof Ids> & { readonly ids: string };

export const sendSpanColumns = ({ traces, spans, parents, ...rest }: SpanColumns): SentSpanColumns => ({
  ...rest,
  ids: JSON.stringify({ traces, spans, parents } satisfies Ids),
});

export const receiveSpanColumns = ({ ids, ...rest }: SentSpanColumns): SpanColumns => ({
  ...rest,
  ...(JSON.parse(ids) as Ids),
});

export const MARK = {
  /** It is a span: OTLP sent it, or the SDK as one that OTLP reports too. */
  compared: 1,
  llm: 2,
  embedding: 4,
  /** It has token counts or failed. */
  tells: 8,
  /** It is an event of the SDK; `linkedEventId` made its id. */
  linked: 16,
  counted: 32,
} as const;

/**
 * The columns of a batch; null if it has neither spans nor events with a place in the graph.
 * @param otlp whether all events are OTLP spans
 */
export function spanColumnsOf(events: EventBatch['events'], otlp: boolean): SpanColumns | null {
  const marks = new Uint8Array(events.length);
  let found = false;
  for (let place = 0; place < events.length; place++) {
    const { event, pricing } = events[place] as EventBatch['events'][number];
    const linked = isLinked(event.event_id, event.trace_id, event.span_id);
    if (!otlp && !linked) continue;
    found = true;
    marks[place] = marksOf(event, pricing, linked);
  }
  const links = ownLinksOf(events);
  if (!found && links === null) return null;
  return {
    traces: events.map(({ event }) => event.trace_id),
    spans: events.map(({ event }) => event.span_id),
    parents: events.map(({ event }) => event.parent_span_id),
    marks,
    links,
  };
}

function marksOf(event: ParsedEvent, { is_call, buckets }: Pricing, linked: boolean): number {
  const kind = event.kind === 'llm' ? MARK.llm : event.kind === 'embedding' ? MARK.embedding : 0;
  return (
    MARK.compared |
    kind |
    (event.status !== 'success' || hasTokens(buckets) ? MARK.tells : 0) |
    (linked ? MARK.linked : 0) |
    (is_call ? MARK.counted : 0)
  );
}

function hasTokens(buckets: Pricing['buckets']): boolean {
  for (const name in buckets) if (buckets[name as keyof typeof buckets] !== 0) return true;
  return false;
}

/** The kind of call that marks say; null for a span that is none. */
export const callKindOf = (mark: number): CallKind | null =>
  (mark & MARK.llm) !== 0 ? 'llm' : (mark & MARK.embedding) !== 0 ? 'embedding' : null;
