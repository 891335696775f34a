import type { EventBatch } from '../../../batch.ts';
import { createNames, type OwnLink, ownLinkOf } from '../../../links.ts';

/** What the writer needs to place an event in the graph of agents and tools, with its ids as sent. */
export type SpanLink = {
  readonly trace: string;
  readonly span: string;
  readonly parent: string | null;
  readonly ts: number;
  readonly eventId: string;
  readonly own: OwnLink;
};

/**
 * The events of a batch that have a place in the graph or may get one, by place; null for others, and for a batch
 * without any. An event without a parent that is no tool and names no agent has none.
 */
export function spanLinksOf(events: EventBatch['events']): (SpanLink | null)[] | null {
  let found = false;
  const names = createNames();
  const links = events.map(({ event }) => {
    if (event.parent_span_id === null && event.agent === null && event.tool === null) return null;
    found = true;
    return {
      trace: event.trace_id,
      span: event.span_id,
      parent: event.parent_span_id,
      ts: event.ts,
      eventId: event.event_id,
      own: ownLinkOf(event, names),
    };
  });
  return found ? links : null;
}
