import { describe, expect, test } from 'bun:test';
import type { Message } from '../../../src/lib/messages/message.ts';
import { readMessages } from '../../../src/lib/messages/read-messages.ts';

const text = (said: string) => ({ kind: 'text', text: said }) as const;
const user = (...parts: Message['parts']): Message => ({ role: 'user', parts });
const assistant = (...parts: Message['parts']): Message => ({ role: 'assistant', parts });
const system = (said: string): Message => ({ role: 'system', parts: [text(said)] });
const call = (id: string | null, name: string, args: unknown) => ({ kind: 'call', id, name, args }) as const;
const result = (id: string | null, parts: Message['parts'], name: string | null = null, failed = false) =>
  ({ kind: 'result', id, name, parts, failed }) as const;
const tool = (...parts: Message['parts']): Message => ({ role: 'tool', parts });
const PNG = 'data:image/png;base64,aGk=';
const image = (url: string) => ({ kind: 'image', url, name: null }) as const;

type Scenario = readonly [sender: string, input: unknown, read: readonly Message[]];

const inputs: readonly Scenario[] = [
  ['a text', 'Hello', [user(text('Hello'))]],
  ['texts to embed', ['a', 'b'], [user(text('a'), text('b'))]],
  [
    'OpenAI Chat',
    [
      { role: 'developer', content: 'Be brief' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'image_url', image_url: { url: PNG, detail: 'low' } },
          { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,aGk=' } },
          { type: 'input_audio', input_audio: { data: 'aGk=', format: 'wav' } },
        ],
      },
      {
        role: 'assistant',
        content: null,
        refusal: null,
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look', arguments: '{"a":1}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: '{"b":2}' },
    ],
    [
      { role: 'developer', parts: [text('Be brief')] },
      user(
        text('What is this?'),
        image(PNG),
        { kind: 'file', url: 'data:application/pdf;base64,aGk=', name: 'a.pdf' },
        { kind: 'file', url: 'data:audio/wav;base64,aGk=', name: null },
      ),
      assistant(call('c1', 'look', { a: 1 })),
      tool(result('c1', [{ kind: 'data', value: { b: 2 } }])),
    ],
  ],
  [
    'OpenAI Responses',
    {
      instructions: 'Be brief',
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'Hi' },
            { type: 'input_image', image_url: PNG },
          ],
        },
        {
          type: 'reasoning',
          id: 'r',
          summary: [{ type: 'summary_text', text: 'Hm' }],
          encrypted_content: 'x',
        },
        { type: 'function_call', call_id: 'c1', name: 'look', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c1', output: 'rain' },
      ],
    },
    [
      system('Be brief'),
      user(text('Hi'), image(PNG)),
      assistant({ kind: 'reasoning', text: 'Hm' }, call('c1', 'look', {})),
      tool(result('c1', [text('rain')])),
    ],
  ],
  [
    'Anthropic',
    {
      system: [{ type: 'text', text: 'Be brief', cache_control: { type: 'ephemeral' } }],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } },
            { type: 'document', title: 'A', source: { type: 'url', url: 'https://example.com/a.pdf' } },
          ],
        },
        { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'look', input: { a: 1 } }] },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 't1',
              is_error: true,
              content: [{ type: 'text', text: 'no' }],
            },
            { type: 'text', text: 'Go on' },
          ],
        },
      ],
    },
    [
      system('Be brief'),
      user(image(PNG), { kind: 'file', url: 'https://example.com/a.pdf', name: 'A' }),
      assistant(call('t1', 'look', { a: 1 })),
      tool(result('t1', [text('no')], null, true)),
      user(text('Go on')),
    ],
  ],
  [
    'Gemini',
    {
      system: ['Be brief'],
      contents: [
        { role: 'user', parts: [{ text: 'Hi' }, { inlineData: { mimeType: 'image/png', data: 'aGk=' } }] },
        { role: 'model', parts: [{ functionCall: { name: 'look', args: { a: 1 } }, thoughtSignature: 'x' }] },
        { role: 'user', parts: [{ functionResponse: { name: 'look', response: { output: 'rain' } } }] },
      ],
    },
    [
      system('Be brief'),
      user(text('Hi'), image(PNG)),
      assistant(call(null, 'look', { a: 1 })),
      tool(result(null, [{ kind: 'data', value: { output: 'rain' } }], 'look')),
    ],
  ],
  ['Gemini, a text', { contents: 'Hi' }, [user(text('Hi'))]],
  [
    'Bedrock',
    {
      system: [{ text: 'Be brief' }],
      messages: [
        { role: 'user', content: [{ text: 'Hi' }] },
        { role: 'assistant', content: [{ toolUse: { toolUseId: 't', name: 'look', input: {} } }] },
        {
          role: 'user',
          content: [
            { toolResult: { toolUseId: 't', status: 'error', content: [{ json: { a: 1 } }, { text: 'b' }] } },
          ],
        },
      ],
    },
    [
      system('Be brief'),
      user(text('Hi')),
      assistant(call('t', 'look', {})),
      tool(result('t', [{ kind: 'data', value: { a: 1 } }, text('b')], null, true)),
    ],
  ],
  [
    'Vercel AI SDK',
    [
      { role: 'system', content: 'Be brief' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Hi' },
          { type: 'file', mediaType: 'image/png', data: 'aGk=' },
        ],
      },
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c', toolName: 'look', input: {} }] },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'c',
            toolName: 'look',
            output: { type: 'json', value: { a: 1 } },
          },
        ],
      },
    ],
    [
      system('Be brief'),
      user(text('Hi'), image(PNG)),
      assistant(call('c', 'look', {})),
      tool(result('c', [{ kind: 'data', value: { a: 1 } }], 'look')),
    ],
  ],
  [
    'OpenTelemetry',
    [
      { role: 'system', parts: [{ type: 'text', content: 'Be brief' }] },
      { role: 'user', parts: [{ type: 'blob', modality: 'image', mime_type: 'image/png', content: 'aGk=' }] },
      { role: 'assistant', parts: [{ type: 'tool_call', id: 'c', name: 'look', arguments: { a: 1 } }] },
      { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c', response: 'rain' }] },
    ],
    [
      system('Be brief'),
      user(image(PNG)),
      assistant(call('c', 'look', { a: 1 })),
      tool(result('c', [text('rain')])),
    ],
  ],
  [
    'OpenTelemetry, as the server stores it',
    [
      { role: 'assistant', content: null, tool_calls: [{ id: 'c', name: 'look', arguments: { a: 1 } }] },
      { role: 'tool', content: 'rain', tool_call_id: 'c' },
    ],
    [assistant(call('c', 'look', { a: 1 })), tool(result('c', [text('rain')]))],
  ],
  [
    'OpenInference',
    [
      {
        message: {
          role: 'user',
          contents: [
            { message_content: { type: 'text', text: 'Hi' } },
            { message_content: { type: 'image', image: { image: { url: PNG } } } },
          ],
        },
      },
      {
        message: {
          role: 'assistant',
          tool_calls: [{ tool_call: { id: 'c', function: { name: 'look', arguments: '{}' } } }],
        },
      },
    ],
    [user(text('Hi'), image(PNG)), assistant(call('c', 'look', {}))],
  ],
  [
    'LangChain, serialised and plain',
    [
      [
        {
          lc: 1,
          type: 'constructor',
          id: ['langchain_core', 'messages', 'HumanMessage'],
          kwargs: { content: 'Hi' },
        },
        {
          type: 'ai',
          content: '',
          tool_calls: [{ id: 'c', name: 'look', args: { a: 1 }, type: 'tool_call' }],
        },
        { type: 'tool', content: 'rain', tool_call_id: 'c', name: 'look' },
      ],
    ],
    [user(text('Hi')), assistant(call('c', 'look', { a: 1 })), tool(result('c', [text('rain')], 'look'))],
  ],
  ['messages as JSON text', '[{"role":"user","content":"Hi"}]', [user(text('Hi'))]],
  ['JSON that is no conversation', '{"city":"Paris"}', [user(text('{"city":"Paris"}'))]],
  ['anything else', { city: 'Paris' }, [user({ kind: 'data', value: { city: 'Paris' } })]],
  ['a number', 4, [user({ kind: 'data', value: 4 })]],
  [
    'arguments of a tool, as the server stores them',
    [{ role: 'user', content: { city: 'Paris' } }],
    [user({ kind: 'data', value: { city: 'Paris' } })],
  ],
];

describe('input', () => {
  test.each([...inputs])('%s', (_, given, expected) => {
    expect(readMessages(given, 'user')).toEqual([...expected]);
  });
});

const outputs: readonly Scenario[] = [
  ['a text', 'Hello', [assistant(text('Hello'))]],
  [
    'choices',
    { choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Hello' } }] },
    [assistant(text('Hello'))],
  ],
  [
    'reasoning beside the content',
    [{ role: 'assistant', reasoning_content: 'Hm', content: 'Hello', refusal: null }],
    [assistant({ kind: 'reasoning', text: 'Hm' }, text('Hello'))],
  ],
  [
    'a refusal',
    { role: 'assistant', content: null, refusal: 'No' },
    [assistant({ kind: 'refusal', text: 'No' })],
  ],
  [
    'Responses',
    [
      { type: 'reasoning', summary: [], encrypted_content: 'x' },
      { type: 'web_search_call', id: 'w', action: { query: 'rain' }, status: 'completed' },
      {
        type: 'message',
        role: 'assistant',
        content: [{ type: 'output_text', text: 'Hello', annotations: [] }],
      },
    ],
    [assistant({ kind: 'reasoning', text: null }, call('w', 'web_search', { query: 'rain' }), text('Hello'))],
  ],
  [
    'Anthropic',
    [
      { type: 'thinking', thinking: 'Hm', signature: 'x' },
      { type: 'redacted_thinking', data: 'x' },
      { type: 'text', text: 'Hello' },
      { type: 'tool_use', id: 't', name: 'look', input: {} },
    ],
    [
      assistant(
        { kind: 'reasoning', text: 'Hm' },
        { kind: 'reasoning', text: null },
        text('Hello'),
        call('t', 'look', {}),
      ),
    ],
  ],
  [
    'Gemini',
    [{ role: 'model', parts: [{ text: 'Hm', thought: true }, { text: 'Hello' }] }],
    [assistant({ kind: 'reasoning', text: 'Hm' }, text('Hello'))],
  ],
  [
    'Gemini, the whole reply',
    { candidates: [{ content: { role: 'model', parts: [{ text: 'Hello' }] }, finishReason: 'STOP' }] },
    [assistant(text('Hello'))],
  ],
  [
    'Bedrock',
    {
      output: {
        message: {
          role: 'assistant',
          content: [{ reasoningContent: { reasoningText: { text: 'Hm' } } }, { text: 'Hello' }],
        },
      },
    },
    [assistant({ kind: 'reasoning', text: 'Hm' }, text('Hello'))],
  ],
  [
    'a result of the Vercel AI SDK',
    {
      text: 'Hello',
      reasoning: [{ type: 'reasoning', text: 'Hm' }],
      toolCalls: [{ toolCallId: 'c', toolName: 'look', input: {} }],
    },
    [assistant({ kind: 'reasoning', text: 'Hm' }, text('Hello'), call('c', 'look', {}))],
  ],
  [
    'several choices',
    [
      { role: 'assistant', content: 'a' },
      { role: 'assistant', content: 'b' },
    ],
    [assistant(text('a')), assistant(text('b'))],
  ],
  ['markup', '<img src=x onerror=alert(1)>', [assistant(text('<img src=x onerror=alert(1)>'))]],
];

describe('output', () => {
  test.each([...outputs])('%s', (_, given, expected) => {
    expect(readMessages(given, 'assistant')).toEqual([...expected]);
  });
});

test.each([[undefined], [null], [''], [[]]])('%p is nothing stored', (value) => {
  expect(readMessages(value, 'user')).toEqual([]);
});

test('what is nested without end is shown as JSON, not followed', () => {
  let input: unknown = 'x';
  for (let i = 0; i < 100; i++) input = { messages: [{ input }] };
  const [message, ...more] = readMessages(input, 'user');
  expect(more).toEqual([]);
  expect(message?.parts[0]?.kind).toBe('data');
});

test.each(['__proto__', 'constructor', 'toString'])('%s is a role like any other word', (role) => {
  const said = [{ role, content: 'a' }];
  expect(readMessages(said, 'user')).toEqual([{ role, parts: [text('a')] }]);
  expect(readMessages([{ type: role, content: 'a' }], 'user')[0]?.role).toBe('user');
});
