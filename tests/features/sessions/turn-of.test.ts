import { describe, expect, test } from 'bun:test';
import type { StoredEvent } from '../../../src/core/events/contract.ts';
import { runningCosts, turnOf } from '../../../src/features/sessions/turn-of.ts';
import { messageText } from '../../../src/lib/messages/message-text.ts';

const event = (input: unknown, output: unknown, kind = 'llm') => ({ kind, input, output }) as StoredEvent;
const said = (...lines: readonly string[]) =>
  lines.map((line) => ({ role: line.startsWith('>') ? 'assistant' : 'user', content: line }));
const lines = (of: StoredEvent, ...earlier: StoredEvent[]): string[] => {
  const turn = turnOf(of, earlier);
  return turn === null ? [] : [...turn.asked, ...turn.answered].map(messageText);
};

describe('what a call adds to a conversation', () => {
  const first = event(said('a'), '>b');
  test('is what the call before it did not say', () => {
    expect(lines(first)).toEqual(['a', '>b']);
    expect(lines(event(said('a', '>b', 'c'), '>d'), first)).toEqual(['c', '>d']);
  });
  test('is compared with the call that it continues, where others came between', () => {
    const other = event(said('x'), '>y');
    expect(lines(event(said('a', '>b', 'c'), '>d'), other, first)).toEqual(['c', '>d']);
  });
  test('of a call that continues none is what follows the last answer', () => {
    expect(lines(event(said('a', '>b', 'c'), '>d'))).toEqual(['c', '>d']);
    expect(lines(event(said('z'), '>d'), first)).toEqual(['z', '>d']);
  });
  test('of a retry is what was asked again', () => {
    expect(lines(event(said('a'), '>b'), event(said('a'), null))).toEqual(['a', '>b']);
  });
  test('of a tool is its arguments and its result; of a chain nothing: its calls say it', () => {
    expect(lines(event({ a: 1 }, 'rain', 'tool'))).toEqual(['{\n  "a": 1\n}', 'rain']);
    expect(lines(event(said('a'), '>b', 'chain'))).toEqual([]);
  });
  test('is nothing where nothing is stored', () => {
    expect(turnOf(event(undefined, undefined), [])).toBeNull();
  });
  test('a result knows the call of the turn before', () => {
    const asks = event(said('a'), [
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c', function: { name: 'look', arguments: '{}' } }],
      },
    ]);
    const result = { role: 'tool', tool_call_id: 'c', content: 'rain' };
    const turn = turnOf(event([...said('a'), ...(asks.output as object[]), result], '>b'), [asks]);
    const [part] = turn?.asked[0]?.parts ?? [];
    expect(part?.kind === 'result' ? turn?.pairs.callOf.get(part)?.name : part).toBe('look');
  });
});

test('costs add up exactly; what has no price is in none', () => {
  expect(runningCosts([0.1, null, 0.2].map((cost_usd) => ({ cost_usd })))).toEqual([0.1, 0.1, 0.3]);
});
