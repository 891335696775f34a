import type { ParsedEvent } from '../../../core/events/index.ts';
import { isCallKind } from '../map/kind-of.ts';
import type { Links } from '../map/link-spans.ts';
import { HTTP_STATUS } from '../map/mapping.ts';
import { classify } from '../map/status-of.ts';
import { readField } from '../read/source.ts';
import type { Span } from '../read/span.ts';

/**
 * Failed calls that do not say why, with the status of the HTTP request under them: Sentry marks a call
 * as failed without a word, and only the child span of the request knows that the answer was 429.
 * @param spans what `events` were made of, place by place
 * @returns the events that change, by place
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
