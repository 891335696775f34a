import type { ParsedEvent } from '../../../core/events/index.ts';
import { isCallKind } from '../map/kind-of.ts';
import type { Links } from '../map/link-spans.ts';
import { HTTP_STATUS } from '../map/mapping.ts';
import { classify } from '../map/status-of.ts';
import { readField } from '../read/source.ts';
import type { Span } from '../read/span.ts';

/**
 * Takes the error of a failed call without one from a span near it. Sentry marks a call as failed without a reason;
 * only the HTTP request span below has the status, such as 429. Mastra names the error on the agent's span above.
 * @param spans the spans of `events`, in the same order
 * @returns the changed events by position
 */
export function explainFailures(
  spans: readonly Span[],
  events: readonly ParsedEvent[],
  links: Links,
): Map<number, ParsedEvent> {
  const explained = new Map<number, ParsedEvent>();
  for (const [place, parent] of links.parents.entries()) {
    const [span, event, call] = [spans[place], events[place], events[parent]];
    if (span === undefined || event === undefined) continue;
    if (isUnexplained(event)) {
      const outer = failedAbove(events, links, place);
      if (outer !== null) explained.set(place, { ...event, ...reasonOf(outer) });
    }
    if (call === undefined || isCallKind(event.kind) || !isUnexplained(call)) continue;
    const http = readField(span, HTTP_STATUS);
    if (http === null || http < 400) continue;
    explained.set(parent, { ...call, status: classify(http, []), error_code: String(http) });
  }
  return explained;
}

const isUnexplained = ({ kind, status, error_message, error_code }: ParsedEvent): boolean =>
  isCallKind(kind) && status === 'error' && error_message === null && error_code === 'error';

/** The nearest span above that failed with a message. */
function failedAbove(events: readonly ParsedEvent[], { parents }: Links, place: number): ParsedEvent | null {
  for (let up = parents[place] ?? -1; up >= 0; up = parents[up] ?? -1) {
    const outer = events[up];
    if (outer !== undefined && outer.status !== 'success' && outer.error_message !== null) return outer;
  }
  return null;
}

/** The status is found anew: only a call can be rate limited. */
function reasonOf({ error_code, error_message }: ParsedEvent): Partial<ParsedEvent> {
  return { status: classify(null, [error_code, error_message]), error_code, error_message };
}
