import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { gzipSync } from 'node:zlib';
import {
  type InspectedSpan,
  type InspectReply,
  inspectReplySchema,
} from '../../../src/features/otel/contract.ts';
import { openTestApp, type TestApp } from '../../helpers/app.ts';
import { encode, type SpanSpec } from './otlp.ts';
import { EXPECTATIONS } from './recordings/expectations.ts';
import { listEvents, post, type Recording, readRecording } from './replay.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const send = (
  body: Bun.BodyInit,
  headers: Record<string, string>,
  bearer = app.seed.bearer,
): Promise<Response> =>
  app.fetch(`/v1/otel/inspect?projectId=${app.seed.projectId}`, {
    method: 'POST',
    body,
    bearer,
    headers: { 'content-type': 'application/json', ...headers },
  });

async function inspect(...specs: SpanSpec[]): Promise<InspectReply> {
  const response = await send(encode('protobuf', ...specs), { 'content-type': 'application/x-protobuf' });
  expect(response.status).toBe(200);
  return inspectReplySchema.strict().parse(await response.json());
}
async function inspectOne(spec: SpanSpec): Promise<InspectedSpan> {
  const { details } = await inspect(spec);
  expect(details).toHaveLength(1);
  return details[0] as InspectedSpan;
}

const chat = { 'gen_ai.operation.name': 'chat', 'gen_ai.system': 'openai', 'gen_ai.request.model': 'gpt-4o' };
const counted = { ...chat, 'gen_ai.usage.prompt_tokens': 1200, 'gen_ai.usage.completion_tokens': 48 };

describe('POST /v1/otel/inspect', () => {
  test('says that two spans of one reply both count, and what to do', async () => {
    const reply = (trace: string, more: object = {}): SpanSpec => ({
      trace: trace.repeat(32),
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'openai',
        'gen_ai.request.model': 'gpt-4o',
        'gen_ai.response.id': 'chatcmpl-1',
        'gen_ai.usage.input_tokens': 10,
        'gen_ai.usage.output_tokens': 2,
        ...more,
      },
    });
    const later = { ...reply('c'), start: 1_000, end: 1_100 };
    const others = [later, reply('d', { 'gen_ai.response.id': 'chatcmpl-2' })];
    const { counted, details } = await inspect(reply('a'), reply('b'), ...others);
    expect([counted, details.map(({ hints }) => hints)]).toEqual([
      4,
      [[expect.stringContaining('span 2')], [expect.stringContaining('span 1')], [], []],
    ]);
  });

  test('shows each field with its source attribute, and the use of all other attributes', async () => {
    const span = await inspectOne({
      scope: { name: 'my-instrumentation', version: '1.0.0' },
      attributes: {
        ...counted,
        'gen_ai.usage.cache_read.input_tokens': 1024,
        'gen_ai.response.id': 'r1',
        'gen_ai.input.messages': '[{"role":"user"}]',
        'acme.thing': 'x',
        'ai.telemetry.metadata.plan': 'gold',
      },
    });
    expect(span).toMatchObject({
      sender: 'my-instrumentation@1.0.0',
      kind: 'llm',
      is_call: true,
      counted: true,
      why: ['gen_ai.operation.name is "chat": a model call'],
      cost: { usd: 0.0022, why: 'priced' },
      kept: ['gen_ai.response.id'],
      unused: [
        {
          name: 'acme.thing',
          reason: expect.stringContaining('not a name of a convention') as unknown as string,
        },
      ],
      content: [{ name: 'gen_ai.input.messages', characters: 17 }],
      deprecated: [
        { name: 'gen_ai.system', successor: 'gen_ai.provider.name' },
        { name: 'gen_ai.usage.prompt_tokens', successor: 'gen_ai.usage.input_tokens' },
        { name: 'gen_ai.usage.completion_tokens', successor: 'gen_ai.usage.output_tokens' },
      ],
      hints: [],
    });
    expect(span.fields).toContainEqual({
      field: 'input_tokens',
      value: 1200,
      from: 'gen_ai.usage.prompt_tokens',
    });
    expect(span.fields).toContainEqual({ field: 'provider', value: 'openai', from: 'gen_ai.system' });
  });

  test('notes that cached tokens were added if the input excludes them', async () => {
    const { fields } = await inspectOne({
      attributes: {
        ...chat,
        'gen_ai.usage.input_tokens': 160,
        'gen_ai.usage.cache_read.input_tokens': 2048,
      },
    });
    expect(fields).toContainEqual({
      field: 'input_tokens',
      value: 2208,
      from: 'gen_ai.usage.input_tokens',
      note: '160 were sent; cached tokens are added',
    });
  });

  test.each<[string, SpanSpec, Partial<InspectedSpan>]>([
    [
      'zero tokens of a stream',
      { attributes: chat },
      {
        cost: {
          usd: null,
          why: 'no price: the call succeeded, but the span has no token counts',
        },
        hints: [expect.stringContaining('stream_options') as unknown as string],
      },
    ],
    [
      'counts under names that nobody knows',
      { attributes: { ...chat, 'acme.tokens.in': 12 } },
      {
        unused: [
          { name: 'acme.tokens.in', reason: expect.stringContaining('not a name') as unknown as string },
        ],
        hints: [
          'No tokens: acme.tokens.in look like counts, but the names are unknown',
          expect.stringContaining('stream_options') as unknown as string,
        ],
      },
    ],
    [
      'an unknown operation',
      { attributes: { ...counted, 'gen_ai.operation.name': 'dream' } },
      {
        is_call: false,
        why: ['gen_ai.operation.name is "dream", which is not a known kind of call: a plain span'],
        hints: [expect.stringContaining('set gen_ai.operation.name to chat') as unknown as string],
      },
    ],
    [
      'an agent with the sum of its calls',
      { attributes: { ...counted, 'gen_ai.operation.name': 'invoke_agent' } },
      { is_call: false, counted: false, cost: { usd: null, why: 'not a call' } },
    ],
    [
      'a model that nobody knows',
      { attributes: { ...counted, 'gen_ai.request.model': 'acme-9' } },
      { cost: { usd: null, why: 'no price: unknown model; set a price with `spanledger prices set`' } },
    ],
    [
      'neither model nor provider',
      { attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.usage.input_tokens': 1 } },
      {
        hints: ['No model: set gen_ai.request.model', 'No provider: set gen_ai.provider.name'],
      },
    ],
  ])('explains %s', async (_, spec, expected) => {
    expect(await inspectOne(spec)).toMatchObject(expected);
  });

  test('says of each attribute that it leaves out why', async () => {
    const { unused } = await inspectOne({
      attributes: {
        ...counted,
        'gen_ai.usage.input_tokens': 1200,
        'llm.token_count.prompt': 1,
        'gen_ai.client.operation.time_to_first_chunk': -1,
        'gen_ai.response.id': 'x'.repeat(201),
        'ai.telemetry.metadata.note': 'two words',
        'ai.telemetry.metadata.langgraph_step': 3,
        'tag.tags': 'a long label',
        'usage.total_tokens': 1248,
      },
    });
    expect(Object.fromEntries(unused.map(({ name, reason }) => [name, reason]))).toMatchObject({
      'gen_ai.usage.prompt_tokens': 'input_tokens was read from gen_ai.usage.input_tokens, which comes first',
      'llm.token_count.prompt': 'input_tokens was read from gen_ai.usage.input_tokens, which comes first',
      'gen_ai.client.operation.time_to_first_chunk': 'not a valid value for ttft_ms',
      'gen_ai.response.id': 'longer than the 200 characters that are kept of such a name',
      'ai.telemetry.metadata.note': expect.stringContaining('single words'),
      'ai.telemetry.metadata.langgraph_step': expect.stringContaining('set by the framework'),
      'tag.tags': expect.stringContaining('single words'),
      'usage.total_tokens': expect.stringContaining("a sum of the agent's calls"),
    });
    const beside = await inspectOne({ attributes: { 'llm.usage.prompt_tokens': 5, 'span.type': 'web' } });
    expect(beside.unused).toContainEqual({
      name: 'llm.usage.prompt_tokens',
      reason: 'input_tokens is read of calls only, and this span is none',
    });
  });

  test('lists what a client sends and what to set, and resources that are not kept', async () => {
    const ai = { name: 'ai', version: '' };
    const known = await inspect({
      scope: ai,
      attributes: { 'ai.operationId': 'ai.embed.doEmbed', 'ai.model.id': 'm', 'ai.model.provider': 'openai' },
      resource: { 'service.name': 'shop', 'host.name': 'h' },
    });
    expect(known.senders).toEqual([
      {
        name: 'Vercel AI SDK',
        known: true,
        spans: 1,
        calls: 1,
        user: false,
        session: false,
        prompts: false,
        tools: false,
        hints: [
          'No user and no session: pass experimental_telemetry: { isEnabled: true, metadata: { userId, sessionId } } in each call',
          'No prompts: recordInputs and recordOutputs of experimental_telemetry must not be false',
        ],
      },
    ]);
    expect(known.resource.map(({ name }) => name)).toEqual(['host.name']);
    const attributes = { ...counted, 'user.id': 'u', 'session.id': 's', 'gen_ai.input.messages': '[]' };
    const { senders } = await inspect(
      { id: '1', scope: { name: 'mine', version: '1' }, attributes },
      { id: '2', name: 'GET', attributes: { 'http.request.method': 'GET' } },
    );
    expect(senders).toMatchObject([{ name: 'mine', known: false, user: true, session: true, hints: [] }]);
  });

  test('explains which of two spans of one call is counted', async () => {
    const { details, ...totals } = await inspect(
      { id: '1', name: 'outer', attributes: counted },
      { id: '2', parent: '1', name: 'inner', attributes: counted },
      { id: '3', name: 'silent', attributes: { ...chat, 'gen_ai.operation.name': 'embeddings' } },
      { id: '4', parent: '3', attributes: { ...counted, 'gen_ai.operation.name': 'embeddings' } },
    );
    expect(totals).toMatchObject({ spans: 4, calls: 4, counted: 2, input_tokens: 2400, output_tokens: 96 });
    expect(details.map((span) => span.counted)).toEqual([true, false, false, true]);
    expect(details[1]?.why[1]).toBe('The span around it, "outer", reports the same call and is counted');
    expect(details[2]?.why[1]).toBe(
      'A span inside it reports the same call with its tokens or failure, and is counted',
    );
  });

  test('reports the spans that would be refused', async () => {
    const inspected = await inspect({ attributes: chat }, { trace: '0'.repeat(32) });
    const { refused, refused_spans, spans } = inspected;
    expect([spans, refused_spans]).toEqual([1, 1]);
    expect(refused).toEqual([{ span: 2, error: 'traceId must be 32 hexadecimal digits that are not all 0' }]);
  });

  test('lists the first thousand spans, and reports the total', async () => {
    const bad = Array.from({ length: 1_005 }, () => ({ trace: '0'.repeat(32) }));
    const { refused, refused_spans, spans } = await inspect(...bad);
    expect([spans, refused_spans, refused.length]).toEqual([0, 1_005, 1_000]);
    expect(refused.at(-1)?.span).toBe(1_000);
  });

  test('takes a file and detects its format', async () => {
    const file = (body: Bun.BodyInit) => send(body, { 'content-type': 'application/octet-stream' });
    const told = async (body: Bun.BodyInit) => {
      const { encoding, spans, refused } = (await (await file(body)).json()) as InspectReply;
      return [encoding, spans, refused.map(({ span }) => span)];
    };
    const [json, protobuf] = [encode('json', { attributes: chat }), encode('protobuf', { attributes: chat })];
    const bad = encode('json', { attributes: chat }, { trace: '0'.repeat(32) });
    const lines = [json, bad].map((line) => new TextDecoder().decode(line)).join('\n');
    expect(await told(json)).toEqual(['json', 1, []]);
    expect(await told(protobuf)).toEqual(['protobuf', 1, []]);
    expect(await told(gzipSync(protobuf))).toEqual(['protobuf', 1, []]);
    expect(await told(`${lines}\n`)).toEqual(['json', 2, [3]]);
    const broken = await file(`${lines}\n{"resourceLogs":[]}`);
    expect([broken.status, await broken.json()]).toEqual([
      400,
      { error: expect.stringMatching(/^Line 3: Only traces are accepted, this is logs/) },
    ]);
  });

  test('a file has the limits of a request, decompressed and for all lines together', async () => {
    const file = (body: Bun.BodyInit) => send(body, { 'content-type': 'application/octet-stream' });
    const large = await file(gzipSync(gzipSync(`{"resourceSpans":[${' '.repeat(4_194_304)}]}`)));
    expect([large.status, await large.json()]).toEqual([
      413,
      { error: 'The file is over the limit of 4 MB' },
    ]);
    const line = (spans: number) =>
      `{"resourceSpans":[{"scopeSpans":[{"spans":[${Array(spans).fill('{}').join()}]}]}]}`;
    expect((await file(`${line(6_000)}\n${line(4_000)}`)).status).toBe(200);
    const many = await file(`${line(6_000)}\n${line(4_001)}`);
    expect([many.status, await many.json()]).toEqual([
      413,
      { error: 'The file is over the limit of 10000 spans' },
    ]);
  });

  test('takes gzip, and refuses invalid bodies as the ingest route does', async () => {
    const body = gzipSync(encode('json', { attributes: chat }));
    expect((await send(body, { 'content-encoding': 'gzip' })).status).toBe(200);
    expect((await send('{', {})).status).toBe(400);
    expect((await send('{}', { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await send(`{"resourceSpans":[${' '.repeat(4_194_304)}]}`, {})).status).toBe(413);
    expect((await send('{}', {}, 'nobody')).status).toBe(401);
    const stranger = await app.addTenant('Stranger');
    expect((await send('{}', {}, stranger.bearer)).status).toBe(403);
    expect((await send('{}', {}, (await app.addUser('viewer')).bearer)).status).toBe(200);
  });
});

test.each(EXPECTATIONS.map(({ client }) => client))(
  '%s: what is inspected is what is recorded',
  async (client) => {
    const requests = readRecording(client);
    const whole: Recording = { resourceSpans: requests.flatMap(({ resourceSpans }) => resourceSpans) };
    const text = await (await send(JSON.stringify(whole), {})).text();
    expect(text).not.toContain('SENTINEL');
    const { details: inspected, senders } = JSON.parse(text) as InspectReply;
    // Every attribute is accounted for, and every recorded client is known.
    for (const { unused } of inspected) for (const { reason } of unused) expect(reason).not.toBe('');
    expect(senders.map(({ known }) => known)).not.toContain(false);
    expect(await listEvents(app, app.seed)).toEqual([]);

    const tenant = await app.addTenant(`${client} inspected`);
    await post(app, tenant, requests);
    const recorded = await listEvents(app, tenant);
    const { details } = JSON.parse(text) as InspectReply;
    const told = (span: { span_id: string; status: string; counted: boolean }, usd: number | null) =>
      `${span.span_id} ${span.status} ${span.counted ? usd : 'not counted'}`;
    expect(details.map((span) => told(span, span.cost.usd)).sort()).toEqual(
      recorded.map((event) => told(event, event.cost_usd)).sort(),
    );
  },
);
