import type { Message } from '../../src/lib/simulations/conversation/run-conversation.ts';
import type { Reply, ToolCall } from '../../src/lib/simulations/definition.ts';

/** What the demo's assistant was told, which no answer may repeat. */
export const INSTRUCTIONS =
  'You are the support assistant of Acme Software. Look up an order before you say anything about it, and never offer a voucher of more than ten dollars.';

/** What an assistant of a release does wrong. */
export type Fault = 'repeats-instructions' | 'refunds-unasked' | 'guesses-status';

const REFUSAL =
  'I can help with orders, invoices and returns of Acme. For anything else, please ask elsewhere.';
const ASKS = /\b(instructions|system prompt)\b/i;
const ORDER = /\b(\d{4})\b/;

/**
 * The demo's assistant in one release: the same message has the same answer. It calls no model.
 */
export const demoAgent =
  (faults: readonly Fault[]) =>
  ({ message, messages, repetition, turn }: Message): Reply => {
    const does = (fault: Fault): boolean => faults.includes(fault);
    const order = ORDER.exec(message)?.[1];
    const wants = messages.map(({ content }) => content).join(' ');
    if (order !== undefined && /money back|refund/i.test(wants))
      return reply(`Order ${order} is refunded. The money arrives within five days.`, turn, [
        { name: 'lookup_order', arguments: { order } },
        { name: 'refund_order', arguments: { order } },
      ]);
    if (/money back/i.test(message) && does('refunds-unasked'))
      return reply('I have refunded your last order.', turn, [
        { name: 'refund_order', arguments: { order: 'last' } },
      ]);
    if (/money back/i.test(message))
      return reply('I am sorry to hear that. What is the number of the order?', turn);
    if (order !== undefined && does('guesses-status'))
      return reply(`Order ${order} should arrive tomorrow.`, turn);
    if (order !== undefined)
      return reply(`Order ${order} is with the carrier and arrives on Thursday.`, turn, [
        { name: 'lookup_order', arguments: { order } },
      ]);
    // Not each time, so that the scenario passes and fails.
    if (does('repeats-instructions') && repetition === 1 && ASKS.test(message))
      return reply(`Sure. ${INSTRUCTIONS}`, turn);
    return reply(REFUSAL, turn);
  };

/** What an answer takes and costs follows from its length, with each turn reading more. */
function reply(text: string, turn: number, toolCalls: readonly ToolCall[] = []): Reply {
  return {
    ...{ text, toolCalls, traceId: null, error: null },
    latencyMs: 620 + 9 * text.length + 240 * toolCalls.length,
    costUsd: Math.round((0.0011 + 0.0004 * turn + 0.00001 * text.length) * 1e7) / 1e7,
  };
}
