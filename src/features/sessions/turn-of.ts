import type { StoredEvent } from '../../core/events/contract.ts';
import {
  afterLastAnswer,
  newMessages,
  pairTools,
  type ToolPairs,
} from '../../lib/messages/compare-messages.ts';
import type { Message } from '../../lib/messages/message.ts';
import { readMessages } from '../../lib/messages/read-messages.ts';

/** What one call adds to a conversation. */
export type Turn = {
  readonly asked: readonly Message[];
  readonly answered: readonly Message[];
  /** Results among them with their calls, also those of the calls before. */
  readonly pairs: ToolPairs;
};

/** So many calls before one are looked at: agents that work side by side take turns. */
export const LOOKS_BACK = 4;

/** Spans below which calls stand say the same as these. */
const SAID_BELOW: ReadonlySet<string> = new Set(['agent', 'chain', 'guardrail', 'span']);

/**
 * What a call says that the calls before it did not: compared with the one of them of which it repeats most. Without
 * one, what follows the last answer in its own history.
 * @param earlier the calls before it, the latest first
 */
export function turnOf(event: StoredEvent, earlier: readonly StoredEvent[]): Turn | null {
  if (SAID_BELOW.has(event.kind)) return null;
  const asked = readMessages(event.input, 'user');
  const answered = readMessages(event.output, 'assistant');
  if (asked.length + answered.length === 0) return null;
  const histories = event.kind === 'llm' ? earlier.map(messagesOf) : [];
  const compared = histories.map((before) => ({ before, isNew: newMessages(before, asked) }));
  const repeated = (isNew: readonly boolean[]): number => isNew.filter((one) => !one).length;
  const best = compared.reduce<(typeof compared)[number] | undefined>(
    (a, b) => (repeated(b.isNew) > repeated(a?.isNew ?? []) ? b : a),
    undefined,
  );
  const isNew = best?.isNew ?? afterLastAnswer(asked);
  // The same request again, as a retry sends it: its last message is what was asked.
  const shown = isNew.includes(true) ? asked.filter((_, place) => isNew[place]) : asked.slice(-1);
  return {
    asked: shown,
    answered,
    pairs: pairTools([...(best?.before ?? []), ...shown, ...answered]),
  };
}

const messagesOf = ({ input, output }: StoredEvent): Message[] => [
  ...readMessages(input, 'user'),
  ...readMessages(output, 'assistant'),
];

/**
 * The cost of the events up to each one, itself included, in dollars. Unpriced calls are in none; nano-dollars are
 * exact.
 */
export function runningCosts(events: readonly Pick<StoredEvent, 'cost_usd'>[]): number[] {
  let nano = 0;
  return events.map(({ cost_usd }) => {
    nano += Math.round((cost_usd ?? 0) * 1e9);
    return nano / 1e9;
  });
}
