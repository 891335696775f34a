import { expect, test } from 'bun:test';
import { readMessages } from '../../src/lib/messages/read-messages.ts';
import { readResult } from '../../src/sdk/frameworks/langchain-replies.ts';
import { createMessagesReader } from '../../src/sdk/wrap/anthropic-messages.ts';
import { createChatReader } from '../../src/sdk/wrap/openai-chat.ts';

const CALL = { kind: 'call', id: 'c1', name: 'look', args: { id: 4711 } } as const;

/** What is read of the output that a reader stores of a stream. */
const anthropic = (...events: readonly object[]): unknown => {
  const reader = createMessagesReader(() => true, 'claude-sonnet-4-5');
  for (const event of events) reader.piece?.(event);
  return reader.result?.().output;
};
const block = (index: number, content_block: object) => ({
  type: 'content_block_start',
  index,
  content_block,
});
const delta = (index: number, given: object) => ({ type: 'content_block_delta', index, delta: given });

test('Anthropic: a streamed answer is stored with its thinking and its tool calls, like one that came at once', () => {
  const output = anthropic(
    block(0, { type: 'thinking', thinking: '' }),
    delta(0, { type: 'thinking_delta', thinking: 'Hm' }),
    delta(0, { type: 'signature_delta', signature: 'x' }),
    block(1, { type: 'text', text: '' }),
    delta(1, { type: 'text_delta', text: 'One ' }),
    delta(1, { type: 'text_delta', text: 'moment' }),
    block(2, { type: 'tool_use', id: 'c1', name: 'look', input: {} }),
    delta(2, { type: 'input_json_delta', partial_json: '{"id":' }),
    delta(2, { type: 'input_json_delta', partial_json: '4711}' }),
  );
  expect(readMessages(output, 'assistant')).toEqual([
    {
      role: 'assistant',
      parts: [{ kind: 'reasoning', text: 'Hm' }, { kind: 'text', text: 'One moment' }, CALL],
    },
  ]);
});

test('Anthropic: an answer that is only text stays a text; arguments that were cut off stay as they came', () => {
  expect(anthropic(block(0, { type: 'text', text: '' }), delta(0, { text: 'Hi' }))).toBe('Hi');
  expect(anthropic(delta(0, { text: 'Hi' }))).toBe('Hi');
  const cut = anthropic(
    block(0, { type: 'tool_use', id: 'c1', name: 'look' }),
    delta(0, { partial_json: '{"id":' }),
  );
  expect(readMessages(cut, 'assistant')[0]?.parts).toEqual([{ ...CALL, args: '{"id":' }]);
});

test('OpenAI: a streamed tool call keeps its id, by which its result is found', () => {
  const options = { output: () => true, hideUsage: false, onMissingUsage: () => {}, requestModel: 'gpt-4o' };
  const reader = createChatReader(options);
  const piece = (tool: object, finish_reason: string | null = null): unknown =>
    reader.piece?.({
      choices: [{ index: 0, finish_reason, delta: { tool_calls: [{ index: 0, ...tool }] } }],
    });
  piece({ id: 'c1', type: 'function', function: { name: 'look', arguments: '' } });
  piece({ function: { arguments: '{"id":4711}' } }, 'tool_calls');
  expect(
    readMessages(reader.result?.().output, 'assistant')[0]?.parts.filter(({ kind }) => kind === 'call'),
  ).toEqual([CALL]);
});

test('LangChain: an answer that calls tools is stored with the calls', () => {
  const message = {
    content: '',
    tool_calls: [{ id: 'c1', name: 'look', args: { id: 4711 }, type: 'tool_call' }],
  };
  const { output } = readResult({ generations: [[{ text: '', message }]] }, 'gpt-4o', true);
  expect(readMessages(output, 'assistant')).toEqual([{ role: 'assistant', parts: [CALL] }]);
  const plain = readResult({ generations: [[{ text: 'Hi', message: { content: 'Hi' } }]] }, 'gpt-4o', true);
  expect(plain.output).toEqual(['Hi']);
});
