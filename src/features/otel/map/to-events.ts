import type { ParsedEvent } from '../../../core/events/index.ts';
import { explainFailures } from '../inspect/explain-failure.ts';
import type { Span } from '../read/span.ts';
import { adoptCalls } from './adopt-calls.ts';
import { inheritPeople } from './inherit-people.ts';
import { linkSpans } from './link-spans.ts';
import { takeAgentSums } from './take-agent-sums.ts';
import { type SpanContext, toEvent } from './to-event.ts';

/** The events of the spans of one request, linked among themselves. The store decides which of them are counted. */
export function toEvents(spans: readonly Span[], ctx: SpanContext): ParsedEvent[] {
  const events = spans.map((span) => toEvent(span, ctx));
  adoptCalls(spans, events);
  const links = linkSpans(events);
  inheritPeople(events, links);
  takeAgentSums(spans, events, links);
  for (const [place, event] of explainFailures(spans, events, links)) events[place] = event;
  return events;
}
