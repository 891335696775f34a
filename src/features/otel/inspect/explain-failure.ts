import type { ParsedEvent } from '../../../core/events/index.ts';
import { isCallKind } from '../map/kind-of.ts';
import type { Links } from '../map/link-spans.ts';
import { HTTP_STATUS } from '../map/mapping.ts';
import { classify } from '../map/status-of.ts';
import { readField } from '../read/source.ts';
import type { Span } from '../read/span.ts';

/**
 * Takes the error of a failed call without one from the HTTP request span below it. Sentry marks a call as failed
 * without a reason; only its child span has the status, such as 429.
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
    if (span === undefined || event === undefined || call === undefined) continue;
    if (isCallKind(event.kind) || !isCallKind(call.kind)) continue;
    if (call.status !== 'error' || call.error_message !== null || call.error_code !== 'error') continue;
    const http = readField(span, HTTP_STATUS);
    if (http === null || http < 400) continue;
    explained.set(parent, { ...call, status: classify(http, []), error_code: String(http) });
  }
  return explained;
}
