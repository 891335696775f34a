import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test';
import Anthropic from '@anthropic-ai/sdk';
import * as openTelemetry from '@opentelemetry/api';
import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer';
import { NodeSDK } from '@opentelemetry/sdk-node';
import OpenAI from 'openai';
import type { StoredEvent } from '../../src/core/events/contract.ts';
import { createClient, wrapAnthropic, wrapOpenAI } from '../../src/sdk/index.ts';
import { openSdkWorld, readEvents, type SdkWorld } from './world.ts';

type EndedSpan = NonNullable<Parameters<typeof JsonTraceSerializer.serializeRequest>[0]>[number];

const ended: EndedSpan[] = [];
const none = async (): Promise<void> => {};
const collector = {
  onStart() {},
  onEnd: (span: EndedSpan) => void ended.push(span),
  forceFlush: none,
  shutdown: none,
};
const sdk = new NodeSDK({ spanProcessors: [collector], instrumentations: [], autoDetectResources: false });
beforeAll(() => sdk.start());
afterAll(async () => {
  await sdk.shutdown();
  for (const api of [openTelemetry.trace, openTelemetry.context, openTelemetry.propagation]) api.disable();
});

let world: SdkWorld;
beforeEach(async () => {
  world = await openSdkWorld({ openTelemetry });
  // The server in this process makes spans too, as it signs the user in.
  ended.length = 0;
});
afterEach(() => world.close());

const tracer = openTelemetry.trace.getTracer('test');
/** Runs a function in an OpenTelemetry span that is active. */
const inSpan = <T>(name: string, fn: (span: openTelemetry.Span) => Promise<T>, attributes = {}): Promise<T> =>
  tracer.startActiveSpan(name, { attributes }, async (span) => {
    try {
      return await fn(span);
    } finally {
      span.end();
    }
  });

/** Sends the spans that have ended as OpenTelemetry's exporter does. */
const exportSpans = async (): Promise<void> => {
  const json = JSON.parse(new TextDecoder().decode(JsonTraceSerializer.serializeRequest(ended)));
  const reply = await world.app.fetch('/v1/otel', { json, apiKey: world.app.seed.apiKey });
  expect([reply.status, await reply.text()]).toEqual([202, '{}']);
};

const CALL = { provider: 'openai', model: 'gpt-4o' };
const named = (events: StoredEvent[], name: string): StoredEvent => {
  const found = events.find((event) => event.name === name || event.operation === name);
  if (found === undefined) throw new Error(`no event ${name}`);
  return found;
};

const completion = {
  id: 'c',
  model: 'gpt-4o',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Paris' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100 },
};
const message = {
  id: 'm',
  type: 'message',
  role: 'assistant',
  model: 'claude-haiku-4-5',
  content: [{ type: 'text', text: 'Paris' }],
  stop_reason: 'end_turn',
  usage: { input_tokens: 1_000, output_tokens: 100 },
};

for (const first of ['events', 'spans'] as const) {
  test(`a call that both exporters send counts once, as the SDK's event; ${first} arrive first`, async () => {
    const { client } = world;
    const openai = wrapOpenAI(
      new OpenAI({ apiKey: 'sk', fetch: async () => Response.json(completion) }),
      client,
    );
    const anthropic = wrapAnthropic(
      new Anthropic({ apiKey: 'sk', fetch: async () => Response.json(message) }),
      client,
    );
    const messages = [{ role: 'user' as const, content: 'Where?' }];
    const traceId = await inSpan('POST /chat', (request) =>
      client.with({ user_id: 'ada', tags: { feature: 'chat' } }, async () => {
        // As an instrumentation of the openai package does.
        const attributes = {
          'gen_ai.operation.name': 'chat',
          'gen_ai.provider.name': 'openai',
          'gen_ai.request.model': 'gpt-4o',
          'gen_ai.usage.input_tokens': 1_000,
          'gen_ai.usage.output_tokens': 100,
        };
        await inSpan(
          'chat gpt-4o',
          () => openai.chat.completions.create({ model: 'gpt-4o', messages }),
          attributes,
        );
        // Makes a span of its own.
        await anthropic.messages.create({ model: 'claude-haiku-4-5', max_tokens: 9, messages });
        return request.spanContext().traceId;
      }),
    );
    if (first === 'events') await client.flush();
    await exportSpans();
    await client.flush();
    const events = await readEvents(world.app);
    expect(events).toHaveLength(5);
    expect(new Set(events.map(({ trace_id }) => trace_id))).toEqual(new Set([traceId]));
    const calls = events.filter(({ kind }) => kind === 'llm');
    expect(
      calls
        .map(({ provider, counted, user_id, cost_usd }) => [provider, counted, user_id, cost_usd])
        .sort((a, b) => String(a).localeCompare(String(b))),
    ).toEqual([
      ['anthropic', false, null, null],
      ['anthropic', true, 'ada', 0.0015],
      ['openai', false, null, null],
      ['openai', true, 'ada', 0.0035],
    ]);
    // What the client sends again counts no second time.
    await exportSpans();
    expect(await readEvents(world.app)).toHaveLength(5);
  });
}

test('spans and events have the ids of the trace that is active', async () => {
  const { client } = world;
  const [request, inner, other] = await inSpan('request', async (outer) => {
    client.track({ ...CALL, name: 'tracked' });
    return client.trace('joins', async () => {
      client.track({ ...CALL, name: 'in joins' });
      const lost = await inSpan('inner', async (span) => {
        client.span('span', () => client.track({ ...CALL, name: 'deep' }));
        return span.spanContext();
      });
      const separate = client.trace('separate', (span) => {
        client.track({ ...CALL, name: 'in separate' });
        return span;
      });
      return [outer.spanContext(), lost, separate];
    });
  });
  const events = await world.events();
  const of = (name: string) => named(events, name);
  const places = (name: string) => [of(name).trace_id, of(name).parent_span_id];
  expect(places('tracked')).toEqual([request.traceId, request.spanId]);
  expect(places('joins')).toEqual([request.traceId, request.spanId]);
  expect(places('in joins')).toEqual([request.traceId, of('joins').span_id]);
  expect(places('span')).toEqual([request.traceId, inner.spanId]);
  expect(places('deep')).toEqual([request.traceId, of('span').span_id]);
  expect(places('separate')).toEqual([other.traceId, null]);
  expect(places('in separate')).toEqual([other.traceId, of('separate').span_id]);
  expect(other.traceId).not.toBe(request.traceId);
});

test('without an active span everything is as without a bridge, also with an API that throws', async () => {
  const { client } = world;
  client.trace('root', () => client.track({ ...CALL, name: 'call' }));
  const events = await world.events();
  expect(named(events, 'root').parent_span_id).toBeNull();
  expect(named(events, 'call').parent_span_id).toBe(named(events, 'root').span_id);
  const broken = createClient({
    apiKey: 'slk_x',
    env: {},
    fetch: () => Promise.reject(new Error('away')),
    openTelemetry: {
      context: { active: () => ({}) },
      trace: {
        getSpanContext: () => {
          throw new Error('broken');
        },
      },
    },
  });
  expect(broken.span('x', () => 42)).toBe(42);
  await broken.shutdown({ timeoutMs: 1 });
});
