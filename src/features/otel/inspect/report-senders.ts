import type { ParsedEvent } from '../../../core/events/index.ts';
import type { InspectReply } from '../contract.ts';
import { isContent } from '../map/attribute-names.ts';
import { isCallKind } from '../map/kind-of.ts';
import type { Span } from '../read/span.ts';
import { SENDERS, UNKNOWN_SENDER } from './senders.ts';

type Report = InspectReply['senders'][number];
type Inspected = { readonly span: Span; readonly event: ParsedEvent };

/** What each client of a request sends of user, session, prompts and tools, and what to set for the rest. */
export function reportSenders(all: readonly Inspected[]): Report[] {
  const clients = Map.groupBy(all, ({ span }) => SENDERS.find(({ made }) => made(span)) ?? span.scope.name);
  return [...clients].flatMap(([client, spans]): Report[] => {
    const calls = spans.filter(({ event }) => isCallKind(event.kind));
    // Spans of HTTP or of a database need no user.
    if (calls.length === 0) return [];
    const isKnown = typeof client !== 'string';
    const told = {
      user: calls.some(({ event }) => event.user_id !== null),
      session: calls.some(({ event }) => event.session_id !== null),
      prompts: spans.some(({ span }) => [...span.attributes.keys()].some(isContent)),
      tools: spans.some(({ event }) => event.kind === 'tool'),
    };
    const from = isKnown ? client : UNKNOWN_SENDER;
    const missing = (['user', 'session', 'prompts'] as const).filter((what) => !told[what]);
    const texts = new Map(
      missing.map((what) => [from[what], missing.filter((one) => from[one] === from[what])]),
    );
    return [
      {
        name: isKnown ? client.name : client || 'unnamed instrumentation',
        known: isKnown,
        spans: spans.length,
        calls: calls.length,
        ...told,
        hints: [...texts].map(([text, whats]) => `No ${whats.join(' and no ')}: ${text}`),
      },
    ];
  });
}
