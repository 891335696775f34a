import { describe, expect, test } from 'bun:test';
import { afterLastAnswer, newMessages, pairTools } from '../../../src/lib/messages/compare-messages.ts';
import type { Message } from '../../../src/lib/messages/message.ts';
import { readMessages } from '../../../src/lib/messages/read-messages.ts';

const said = (...lines: readonly string[]): Message[] =>
  lines.map((line) => ({
    role: line.startsWith('>') ? 'assistant' : 'user',
    parts: [{ kind: 'text', text: line }],
  }));
const lines = (before: readonly string[], now: readonly string[]): string =>
  newMessages(said(...before), said(...now))
    .map((isNew) => (isNew ? 'n' : '.'))
    .join('');

describe('what was not said before', () => {
  test.each([
    ['a turn more', ['a', '>b'], ['a', '>b', 'c'], '..n'],
    ['the first turn', [], ['a'], 'n'],
    ['the same request again', ['a'], ['a'], '.'],
    ['a repeated message', ['yes', '>b'], ['yes', '>b', 'yes'], '..n'],
    ['a history shortened at its beginning', ['a', '>b', 'c', '>d'], ['c', '>d', 'e'], '..n'],
    ['a changed message within', ['a', '>b', 'c'], ['a', '>B', 'c', 'd'], '.n.n'],
    ['another conversation', ['a', '>b'], ['x', '>y', 'z'], 'nnn'],
  ] as const)('%s', (_, before, now, expected) => {
    expect(lines(before, now)).toBe(expected);
  });

  test('an answer is recognised in the shape in which the client sends it back', () => {
    const before = readMessages(
      [
        { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm' }] },
        { type: 'function_call', call_id: 'c', name: 'look', arguments: '{"a": 1}' },
      ],
      'assistant',
    );
    const now = readMessages(
      [
        { type: 'function_call', call_id: 'c', name: 'look', arguments: '{"a":1}' },
        { type: 'function_call_output', call_id: 'c', output: 'rain' },
      ],
      'user',
    );
    expect(newMessages(before, now)).toEqual([false, true]);
  });

  test('without an earlier call it is what follows the last answer', () => {
    expect(afterLastAnswer(said('a', '>b', 'c', 'd'))).toEqual([false, false, true, true]);
    expect(afterLastAnswer(said('a', 'b'))).toEqual([true, true]);
  });
});

describe('pairs of tool calls and results', () => {
  const called = (...calls: readonly [string | null, string][]): Message => ({
    role: 'assistant',
    parts: calls.map(([id, name]) => ({ kind: 'call', id, name, args: {} })),
  });
  const returned = (...results: readonly [string | null, string | null][]): Message => ({
    role: 'tool',
    parts: results.map(([id, name]) => ({ kind: 'result', id, name, parts: [], failed: false })),
  });
  const named = (...messages: readonly Message[]): string[] => {
    const { callOf } = pairTools(messages);
    return messages.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.kind === 'result' ? [callOf.get(part)?.name ?? 'none'] : [])),
    );
  };
  test('by id, whatever the order', () => {
    expect(named(called(['1', 'a'], ['2', 'b']), returned(['2', null], ['1', null]))).toEqual(['b', 'a']);
  });
  test('by name, and in order where there is no name', () => {
    expect(named(called([null, 'a'], [null, 'b']), returned([null, 'b'], [null, 'a']))).toEqual(['b', 'a']);
    expect(named(called([null, 'a'], [null, 'b']), returned(['x', null], ['y', null]))).toEqual(['a', 'b']);
  });
  test('a result without a call has none, and a call has one result', () => {
    expect(named(returned(['1', null]), called(['1', 'a']), returned(['1', null], ['1', null]))).toEqual([
      'none',
      'a',
      'none',
    ]);
  });
});
