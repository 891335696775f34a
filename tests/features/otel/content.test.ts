import { describe, expect, test } from 'bun:test';
import { openTestApp } from '../../helpers/app.ts';
import { isOnClickhouse } from '../../helpers/event-store-env.ts';
import { storedTablesWithText } from '../../helpers/read-stored.ts';
import { encode, readBytes, type SpanSpec } from './otlp.ts';

const SENTINEL = 'XYZZY';
const secret = (name: string): string => `${SENTINEL} ${name}`;
const messages = (text: string): string => JSON.stringify([{ role: 'user', content: text }]);

/** Every attribute in which clients are known to send prompts and answers. */
const CONTENT_ATTRIBUTES = [
  'gen_ai.input.messages',
  'gen_ai.output.messages',
  'gen_ai.system_instructions',
  'gen_ai.prompt',
  'gen_ai.prompt.0.content',
  'gen_ai.completion',
  'gen_ai.completion.0.content',
  'gen_ai.tool.definitions',
  'gen_ai.tool.call.arguments',
  'gen_ai.tool.call.result',
  'gen_ai.request.available_tools',
  'gen_ai.request.messages',
  'gen_ai.response.text',
  'input.value',
  'output.value',
  'llm.input_messages.0.message.content',
  'llm.input_messages.0.message.contents.0.message_content.text',
  'llm.output_messages.0.message.content',
  'llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments',
  'llm.prompt_template.template',
  'llm.prompt_template.variables',
  'llm.prompt_template.version',
  'llm.tools.0.tool.json_schema',
  'llm.invocation_parameters',
  'embedding.embeddings.0.embedding.text',
  'ai.prompt',
  'ai.prompt.messages',
  'ai.prompt.tools',
  'ai.response.text',
  'ai.response.object',
  'ai.response.toolCalls',
  'ai.toolCall.args',
  'ai.toolCall.result',
  'ai.embeddings',
  'ai.value',
  'ai.values',
  'traceloop.entity.input',
  'traceloop.entity.output',
  'langfuse.observation.input',
  'langfuse.observation.output',
  'langfuse.observation.metadata.instructions',
  'langfuse.trace.input',
  'metadata',
  'tag.tags',
  'some.vendor.prompt',
] as const;

const kindsOfSpans = [
  { 'gen_ai.operation.name': 'chat', 'gen_ai.system': 'openai', 'gen_ai.request.model': 'gpt-4o' },
  { 'openinference.span.kind': 'EMBEDDING' },
  { 'gen_ai.operation.name': 'execute_tool' },
  { 'langfuse.observation.type': 'generation', 'langfuse.observation.level': 'ERROR' },
  {},
];

describe('without prompt storage', () => {
  test.each(['text', 'json', 'structure'] as const)('no prompt or answer is stored, sent as %s', (form) => {
    const write = (name: string): unknown => {
      if (form === 'text') return secret(name);
      return form === 'json' ? messages(secret(name)) : [secret(name), { content: secret(name) }];
    };
    const content = Object.fromEntries(CONTENT_ATTRIBUTES.map((name) => [name, write(name)]));
    const specs = kindsOfSpans.map(
      (kind): SpanSpec => ({ attributes: { ...content, ...kind }, resource: content }),
    );
    for (const encoding of ['json', 'protobuf'] as const) {
      const events = readBytes(encode(encoding, ...specs), encoding);
      expect(events).toHaveLength(kindsOfSpans.length);
      expect(JSON.stringify(events)).not.toContain(SENTINEL);
    }
  });
});

test('without prompt storage neither the database file nor the engine contains a prompt', async () => {
  const app = await openTestApp();
  const content = Object.fromEntries(CONTENT_ATTRIBUTES.map((name) => [name, messages(secret(name))]));
  const specs = kindsOfSpans.map((kind) => ({ attributes: { ...content, ...kind } }));
  const refused = { trace: '0'.repeat(32), attributes: content };
  const body = encode('protobuf', ...specs, refused);
  const headers = { 'content-type': 'application/x-protobuf' };
  const response = await app.fetch('/v1/otel', { method: 'POST', apiKey: app.seed.apiKey, headers, body });
  expect(response.status).toBe(202);
  const { path } = app.ctx.db;
  expect(await storedTablesWithText(path, 'gpt-4o')).toContain(
    isOnClickhouse ? 'clickhouse events' : 'event_log',
  );
  expect(await storedTablesWithText(path, SENTINEL)).toEqual([]);
  const bytes = (await Bun.file(path).text()) + (await Bun.file(`${path}-wal`).text());
  expect(bytes.includes(SENTINEL)).toBe(false);
  await app.close();
});

test('an error that quotes the answer is stored without the quote', () => {
  const quoting = [
    `Type validation failed: Value: {"a":"${SENTINEL}"}.`,
    `1 validation error for A [type=string_type, input_value='${SENTINEL}', input_type=int]`,
    `JSON parsing failed: Text: ${SENTINEL}`,
  ];
  for (const message of quoting) {
    const body = encode('json', { code: 2, message, attributes: { 'gen_ai.operation.name': 'chat' } });
    const [dropped] = readBytes(body, 'json');
    expect(dropped?.error_message).toMatch(/ …$/);
    expect(dropped?.error_message).not.toContain(SENTINEL);
    expect(readBytes(body, 'json', true)[0]?.error_message).toBe(message);
  }
});

type Scenario = readonly [
  dialect: string,
  attributes: SpanSpec['attributes'],
  input: unknown,
  output: unknown,
];
const HELLO = [{ role: 'user', content: 'hello' }];
const HI = [{ role: 'assistant', content: 'hi' }];
const SYSTEM = { role: 'system', content: 'be brief' };

const scenarios: readonly Scenario[] = [
  [
    'OpenTelemetry',
    {
      'gen_ai.system_instructions': '[{"type":"text","content":"be brief"}]',
      'gen_ai.input.messages': '[{"role":"user","parts":[{"type":"text","content":"hello"}]}]',
      'gen_ai.output.messages':
        '[{"role":"assistant","parts":[{"type":"text","content":"hi"}],"finish_reason":"stop"}]',
    },
    [SYSTEM, ...HELLO],
    HI,
  ],
  [
    'OpenTelemetry, structured',
    {
      'gen_ai.input.messages': [{ role: 'user', parts: [{ type: 'text', content: 'hello' }] }],
      'gen_ai.output.messages': [
        {
          role: 'assistant',
          parts: [
            { type: 'text', content: 'hi' },
            { type: 'tool_call', id: 'c1', name: 'f', arguments: { a: 1 } },
          ],
        },
      ],
    },
    HELLO,
    [{ role: 'assistant', content: 'hi', tool_calls: [{ id: 'c1', name: 'f', arguments: { a: 1 } }] }],
  ],
  [
    'traceloop 0.14',
    {
      'gen_ai.prompt.1.role': 'user',
      'gen_ai.prompt.1.content': 'hello',
      'gen_ai.prompt.0.role': 'system',
      'gen_ai.prompt.0.content': 'be brief',
      'gen_ai.completion.0.role': 'assistant',
      'gen_ai.completion.0.content': 'hi',
      'gen_ai.completion.0.finish_reason': 'stop',
    },
    [SYSTEM, ...HELLO],
    HI,
  ],
  [
    'OpenInference',
    {
      'llm.input_messages.0.message.role': 'user',
      'llm.input_messages.0.message.contents.0.message_content.type': 'text',
      'llm.input_messages.0.message.contents.0.message_content.text': 'hello',
      'llm.output_messages.0.message.role': 'assistant',
      'llm.output_messages.0.message.tool_calls.0.tool_call.function.name': 'f',
      'input.value': 'not this',
    },
    HELLO,
    [{ role: 'assistant', content: null, tool_calls: [{ id: null, name: 'f', arguments: null }] }],
  ],
  [
    'OpenInference, the whole request and answer',
    {
      'input.value': '{"model":"gpt-4o","messages":[{"role":"user","content":"hello"}]}',
      'output.value': '{"id":"1","choices":[{"index":0,"message":{"role":"assistant","content":"hi"}}]}',
    },
    HELLO,
    HI,
  ],
  [
    'Vercel AI SDK 5',
    {
      'ai.prompt.messages': '[{"role":"user","content":[{"type":"text","text":"hello"}]}]',
      'ai.response.text': 'hi',
    },
    HELLO,
    HI,
  ],
  [
    'Vercel AI SDK 5, a tool that was called and its result',
    {
      'ai.prompt.messages': JSON.stringify([
        {
          role: 'assistant',
          content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'f', input: { a: 1 } }],
        },
        {
          role: 'tool',
          content: [
            { type: 'tool-result', toolCallId: 'c1', toolName: 'f', output: { type: 'text', value: '21' } },
          ],
        },
      ]),
      'ai.response.text': 'hi',
      'ai.response.toolCalls': '[{"toolCallId":"c2","toolName":"g","input":"{\\"b\\":2}"}]',
    },
    [
      { role: 'assistant', content: null, tool_calls: [{ id: 'c1', name: 'f', arguments: { a: 1 } }] },
      { role: 'tool', content: '21', tool_call_id: 'c1' },
    ],
    [{ role: 'assistant', content: 'hi', tool_calls: [{ id: 'c2', name: 'g', arguments: { b: 2 } }] }],
  ],
  ['Vercel AI SDK 5, embeddings', { 'ai.values': ['"hello"'] }, HELLO, null],
  [
    'Anthropic, a tool that was called and its result',
    {
      'input.value': JSON.stringify({
        system: 'be brief',
        messages: [
          { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'f', input: { a: 1 } }] },
          {
            role: 'user',
            content: [{ type: 'tool_result', tool_use_id: 'c1', content: [{ type: 'text', text: '21' }] }],
          },
        ],
      }),
      'gen_ai.completion.0.role': 'assistant',
      'gen_ai.completion.0.content': '[{"type":"tool_use","id":"c2","name":"g","input":{"b":2}}]',
    },
    [
      SYSTEM,
      { role: 'assistant', content: null, tool_calls: [{ id: 'c1', name: 'f', arguments: { a: 1 } }] },
      { role: 'tool', content: '21', tool_call_id: 'c1' },
    ],
    [{ role: 'assistant', content: null, tool_calls: [{ id: 'c2', name: 'g', arguments: { b: 2 } }] }],
  ],
  [
    'OpenAI Responses, whole',
    {
      'input.value': '{"model":"gpt-4o","instructions":"be brief","input":"hello"}',
      'output.value':
        '{"output":[{"type":"function_call","id":"fc","call_id":"c1","name":"f","arguments":"{\\"a\\":1}"}]}',
    },
    [SYSTEM, ...HELLO],
    [{ role: 'assistant', content: null, tool_calls: [{ id: 'c1', name: 'f', arguments: { a: 1 } }] }],
  ],
  [
    'LangChain, serialized',
    {
      'gen_ai.prompt': JSON.stringify({
        messages: [[{ lc: 1, type: 'constructor', id: ['x', 'HumanMessage'], kwargs: { content: 'hello' } }]],
      }),
      'gen_ai.completion': JSON.stringify({
        generations: [
          [
            {
              text: 'hi',
              message: { lc: 1, type: 'constructor', id: ['x', 'AIMessage'], kwargs: { content: 'hi' } },
            },
          ],
        ],
      }),
    },
    HELLO,
    HI,
  ],
  [
    'Vercel AI SDK 5, the outer span',
    { 'ai.prompt': '{"system":"be brief","prompt":"hello"}' },
    [SYSTEM, ...HELLO],
    null,
  ],
  [
    'a tool',
    { 'gen_ai.tool.call.arguments': '{"city":"Graz"}', 'gen_ai.tool.call.result': '21' },
    [{ role: 'user', content: { city: 'Graz' } }],
    [{ role: 'assistant', content: '21' }],
  ],
  [
    'Langfuse',
    {
      'langfuse.observation.input': messages('hello'),
      'langfuse.observation.output': '{"role":"assistant","content":"hi"}',
    },
    HELLO,
    HI,
  ],
  [
    'text that only looks like JSON',
    { 'input.value': '{hello', 'output.value': 'hi' },
    [{ role: 'user', content: '{hello' }],
    HI,
  ],
  [
    'JSON that is nested too deeply to keep',
    { 'input.value': `${'['.repeat(100)}${']'.repeat(100)}` },
    [{ role: 'user', content: `${'['.repeat(100)}${']'.repeat(100)}` }],
    null,
  ],
  ['nothing', {}, null, null],
];

describe('with prompt storage', () => {
  test.each(scenarios.map((scenario) => [...scenario] as const))(
    '%s becomes lists of messages',
    (_, attributes, input, output) => {
      for (const encoding of ['json', 'protobuf'] as const) {
        const [event] = readBytes(encode(encoding, { attributes: attributes ?? {} }), encoding, true);
        expect(JSON.parse(JSON.stringify({ input: event?.input, output: event?.output }))).toEqual({
          input,
          output,
        });
      }
    },
  );
});
