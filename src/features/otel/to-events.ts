import type { ParsedEvent } from '../../core/events/index.ts';
import { explainFailures } from './explain-failure.ts';
import { linkSpans } from './link-spans.ts';
import type { Span } from './span.ts';
import { type SpanContext, toEvent } from './to-event.ts';

/** The events of the spans of one request. Which of them count is settled where they are stored. */
export function toEvents(spans: readonly Span[], ctx: SpanContext): ParsedEvent[] {
  const events = spans.map((span) => toEvent(span, ctx));
  const links = linkSpans(events);
  for (const [place, event] of explainFailures(spans, events, links)) events[place] = event;
  return events;
}
