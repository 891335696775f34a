import type { ChatTurn } from '../conversation/history.ts';

type Json = Readonly<Record<string, unknown>>;

/** Messages in OpenAI's form. */
export const toOpenAi = (messages: readonly ChatTurn[]): Json[] =>
  messages.map((one): Json => {
    if (one.role === 'tool') return { role: 'tool', tool_call_id: one.toolCallId, content: one.content };
    if (one.role !== 'assistant' || one.toolCalls === undefined)
      return { role: one.role, content: one.content };
    const calls = one.toolCalls.map(({ id, name, arguments: given }) => ({
      id,
      type: 'function',
      function: { name, arguments: typeof given === 'string' ? given : (JSON.stringify(given) ?? '{}') },
    }));
    return { role: 'assistant', content: one.content === '' ? null : one.content, tool_calls: calls };
  });
