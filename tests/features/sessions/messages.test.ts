import { expect, test } from 'bun:test';
import { lastUtterance } from '../../../src/features/sessions/messages.ts';

const user = (text: string) => ({ role: 'user', text });
const assistant = (text: string) => ({ role: 'assistant', text });

test.each([
  ['text', 'Hello', user('Hello')],
  [
    'messages',
    [
      { role: 'system', content: 'Be kind' },
      { role: 'user', content: 'Hello' },
    ],
    user('Hello'),
  ],
  ['a request', { system: 'Be kind', messages: [{ role: 'user', content: 'Hello' }] }, user('Hello')],
  ['parts', [{ role: 'user', content: [{ type: 'text', text: 'a' }, 'b'] }], user('a\nb')],
  ['OpenTelemetry', [{ role: 'user', parts: [{ type: 'text', content: 'Hello' }] }], user('Hello')],
  [
    'the result of a tool',
    [{ role: 'tool', tool_call_id: '1', content: '{"id":4}' }],
    { role: 'tool', text: '{"id":4}' },
  ],
  ['anything else', { city: 'Paris' }, user('{"city":"Paris"}')],
  ['a number', 4, user('4')],
])('the last of an input: %s', (_, input, expected) => {
  expect(lastUtterance(input, 'user')).toEqual(expected);
});

test.each([
  ['text', 'Hello', assistant('Hello')],
  [
    'choices',
    { choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' } }] },
    assistant('Hello'),
  ],
  ['content blocks', [{ type: 'text', text: 'Hello' }], assistant('Hello')],
  [
    'a call of a tool beside text',
    [
      { type: 'text', text: 'One moment' },
      { type: 'tool_use', name: 'look_up', input: { id: 4 } },
    ],
    assistant('One moment\nlook_up({"id":4})'),
  ],
  [
    'calls of tools alone',
    [{ role: 'assistant', content: null, tool_calls: [{ function: { name: 'look_up', arguments: '{}' } }] }],
    assistant('look_up({})'),
  ],
  ['markup', '<img src=x onerror=alert(1)>', assistant('<img src=x onerror=alert(1)>')],
])('an output: %s', (_, output, expected) => {
  expect(lastUtterance(output, 'assistant')).toEqual(expected);
});

test.each([undefined, null, ''])('%p is nothing stored', (value) => {
  expect(lastUtterance(value, 'user')).toBeNull();
});

test('what is nested without end is shown as JSON, not followed', () => {
  let input: unknown = 'x';
  for (let i = 0; i < 100; i++) input = { messages: [{ input }] };
  expect(lastUtterance(input, 'user')?.text).toStartWith('{"');
});
