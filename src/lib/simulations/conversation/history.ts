import type { ToolCall, Turn } from '../definition.ts';

/** A message of a conversation, as chat models take it. */
export type ChatTurn =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: string; readonly toolCalls?: readonly ToolCall[] }
  | { readonly role: 'tool'; readonly content: string; readonly toolCallId: string };

/** What was said, as messages. A turn with tools that were answered has the calls, their results and the answer. */
export const historyOf = (turns: readonly Pick<Turn, 'no' | 'user' | 'text' | 'toolCalls'>[]): ChatTurn[] =>
  turns.flatMap(({ no, user, text, toolCalls }): ChatTurn[] => [
    { role: 'user', content: user },
    ...answerOf(no, text, toolCalls),
  ]);

function answerOf(no: number, text: string, given: readonly ToolCall[]): ChatTurn[] {
  if (given.length === 0) return [{ role: 'assistant', content: text }];
  const toolCalls = given.map((call, i) => ({ ...call, id: call.id ?? `call_${no}_${i + 1}` }));
  // Models refuse calls without results.
  const results = toolCalls.map(
    ({ id, result = '' }): ChatTurn => ({ role: 'tool', content: result, toolCallId: id }),
  );
  const calls: ChatTurn = { role: 'assistant', content: '', toolCalls };
  return [calls, ...results, { role: 'assistant', content: text }];
}

/** A conversation as text, for those who judge it. */
export const transcriptOf = (turns: readonly Turn[]): string =>
  turns
    .map(({ user, text, toolCalls }) => {
      const calls = toolCalls.map(
        ({ name, arguments: given }) => `Tool call: ${name}(${JSON.stringify(given) ?? ''})\n`,
      );
      return `User: ${user}\n${calls.join('')}Assistant: ${text}`;
    })
    .join('\n\n');
