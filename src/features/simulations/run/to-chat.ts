import type { ChatMessage } from '../../../core/models/contract.ts';
import type { ChatTurn } from '../../../lib/simulations/conversation/history.ts';

const toolName = (name: string): string => name.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 64) || 'tool';

/** Messages in the form of `core/models`. */
export const toChat = (messages: readonly ChatTurn[]): ChatMessage[] =>
  messages.map((one): ChatMessage => {
    if (one.role !== 'assistant') return one;
    const { content, toolCalls } = one;
    if (toolCalls === undefined) return { role: 'assistant', content };
    const calls = toolCalls.map(({ id, name, arguments: given }, i) => ({
      id: id ?? `call_${i + 1}`,
      name: toolName(name),
      arguments: given,
    }));
    return { role: 'assistant', content, toolCalls: calls };
  });
