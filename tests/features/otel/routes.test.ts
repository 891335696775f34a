import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { deflateSync, gzipSync } from 'node:zlib';
import { ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer';
import { type Ctx, createServices } from '../../../src/context.ts';
import type { StoredEvent } from '../../../src/core/events/contract.ts';
import { setPlan } from '../../../src/core/orgs/index.ts';
import { extendScope, type KeyScope, operatorScope } from '../../../src/core/tenancy/index.ts';
import { otelRoutes } from '../../../src/features/otel/routes.ts';
import { modules } from '../../../src/features.ts';
import { openTestApp, type Tenant, type TestApp } from '../../helpers/app.ts';
import { encode, type SpanSpec } from './otlp.ts';

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const JSON_TYPE = 'application/json';
const PROTOBUF_TYPE = 'application/x-protobuf';
const chat: SpanSpec = {
  attributes: {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.model': 'gpt-4o',
    'gen_ai.usage.input_tokens': 1000,
    'gen_ai.usage.output_tokens': 10,
  },
};
let nextTrace = 1;
/** A span in its own trace. */
const fresh = (spec: SpanSpec = chat): SpanSpec => ({
  ...spec,
  trace: (nextTrace++).toString(16).padStart(32, 'a'),
});

type Sent = { path?: string; type?: string | null; headers?: Record<string, string>; apiKey?: string };
const post = (body: Bun.BodyInit, { path = '/v1/otel', type = JSON_TYPE, headers = {}, apiKey }: Sent = {}) =>
  app.fetch(path, {
    method: 'POST',
    body,
    apiKey: apiKey ?? app.seed.apiKey,
    headers: { ...(type === null ? {} : { 'content-type': type }), ...headers },
  });

type Listed = { total: number; events: StoredEvent[] };
const list = async (query: string, tenant: Tenant = app.seed): Promise<Listed> => {
  const path = `/v1/events?projectId=${tenant.projectId}&kind=all&${query}`;
  const response = await app.fetch(path, { bearer: tenant.bearer });
  expect(response.status).toBe(200);
  return (await response.json()) as Listed;
};

describe('POST /v1/otel', () => {
  test.each([
    '/v1/otel',
    '/v1/otel/v1/traces',
    '/v1/traces',
    '/api/public/otel/v1/traces',
    '/otel/v1/traces',
    '/v1/traces/v1/traces',
    '/v1/otel/v1/traces/v1/traces',
    '/v1/traces/',
    '/v1/otel/',
  ])('records spans posted to %s', async (path) => {
    const json = await post(encode('json', fresh()), { path });
    expect([json.status, json.headers.get('content-type'), await json.text()]).toEqual([
      202,
      JSON_TYPE,
      '{}',
    ]);
    const protobuf = await post(encode('protobuf', fresh()), { path, type: PROTOBUF_TYPE });
    expect([protobuf.status, protobuf.headers.get('content-type')]).toEqual([202, PROTOBUF_TYPE]);
    expect((await protobuf.arrayBuffer()).byteLength).toBe(0);
  });

  test.each<[string, number, string]>([
    ['/v1/metrics', 404, 'OTEL_METRICS_EXPORTER=none'],
    ['/v1/otel/v1/logs', 404, 'OTEL_LOGS_EXPORTER=none'],
    ['/api/v1/traces', 404, 'OTEL_EXPORTER_OTLP_ENDPOINT'],
    ['/', 405, 'OTEL_EXPORTER_OTLP_ENDPOINT'],
  ])('says what to set to an exporter that posts to %s', async (path, status, setting) => {
    const response = await post(encode('json', fresh()), { path });
    expect([response.status, await response.json()]).toEqual([
      status,
      { error: expect.any(String), hint: expect.stringContaining(setting) },
    ]);
  });

  test.each<[string, string | null, number]>([
    ['a charset', 'application/json; charset=utf-8', 202],
    ['capitals', 'Application/JSON', 202],
    ['no content type', null, 415],
    ['another content type', 'text/plain', 415],
    ['NDJSON', 'application/x-ndjson', 415],
  ])('answers a request with %s', async (_, type, status) => {
    const response = await post(encode('json', fresh()), { type });
    expect(response.status).toBe(status);
    if (status !== 202)
      expect(await response.json()).toEqual({ error: expect.stringContaining('Content-Type') });
  });

  test.each<[string, (key: string) => string, number]>([
    [
      'the password of Basic, as Langfuse sends its secret key',
      (key) => `Basic ${btoa(`pk-lf-1:${key}`)}`,
      202,
    ],
    ['a Bearer token, as OpenLLMetry sends it', (key) => `Bearer ${key}`, 202],
    ['the user of Basic', (key) => `Basic ${btoa(`${key}:x`)}`, 401],
    ['another scheme', (key) => `Digest ${key}`, 401],
    ['a session in the place of the key', () => `Bearer ${app.seed.bearer}`, 401],
    ['no credentials', () => 'Basic', 401],
  ])('takes the key from Authorization: %s', async (_, credentials, status) => {
    const authorization = credentials(app.seed.apiKey);
    const response = await app.fetch('/api/public/otel/v1/traces', {
      method: 'POST',
      body: encode('json', fresh()),
      headers: { authorization, 'content-type': JSON_TYPE },
    });
    expect(response.status).toBe(status);
  });

  const json = encode('json', fresh());
  test.each<[string, Bun.BodyInit, string | null]>([
    ['gzip', gzipSync(json), 'gzip'],
    ['deflate', deflateSync(json), 'deflate'],
    ['gzip that does not say so', gzipSync(json), null],
  ])('takes %s', async (_, body, encoding) => {
    const headers = encoding === null ? {} : { 'content-encoding': encoding };
    expect((await post(body, { headers })).status).toBe(202);
  });

  test('accepts a chunked body, as exporters send it', async () => {
    const bytes = encode('protobuf', fresh());
    const chunks = [bytes.subarray(0, 40), bytes.subarray(40)];
    const body = new ReadableStream({
      pull: (controller) => {
        const chunk = chunks.shift();
        if (chunk === undefined) controller.close();
        else controller.enqueue(chunk);
      },
    });
    expect((await post(body, { type: PROTOBUF_TYPE })).status).toBe(202);
  });

  test.each<[string, Sent & { body: Bun.BodyInit }, number, string]>([
    ['no key', { body: json, apiKey: '' }, 401, 'Invalid API key'],
    ['a body that is not JSON', { body: 'x' }, 400, 'The body is not JSON in UTF-8'],
    [
      'a body that is not Protobuf',
      { body: '{}', type: PROTOBUF_TYPE },
      400,
      'The body is not an OTLP trace request',
    ],
    [
      'metrics',
      { body: '{"resourceMetrics":[]}' },
      400,
      'Only traces are accepted, this is metrics: set OTEL_METRICS_EXPORTER=none',
    ],
    [
      'brotli',
      { body: json, headers: { 'content-encoding': 'br' } },
      415,
      'Content-Encoding must be one of gzip, deflate, identity',
    ],
    [
      'too many compressed bytes',
      { body: new Uint8Array(4_194_305), headers: { 'content-encoding': 'gzip' } },
      413,
      'The compressed body is over the limit of 4 MB',
    ],
    [
      'a bomb',
      { body: gzipSync(new Uint8Array(33_554_433)), headers: { 'content-encoding': 'gzip' } },
      413,
      'The decompressed body is over the limit of 32 MB',
    ],
  ])('refuses %s', async (_, { body, ...sent }, status, error) => {
    const response = await post(body, sent);
    const hint = "Send the project's API key in the header x-api-key";
    const expected = status === 401 ? { error, hint } : { error };
    expect([response.status, await response.json()]).toEqual([status, expected]);
    expect(response.headers.get('content-type')).toBe(JSON_TYPE);
  });

  test.each(['json', 'protobuf'] as const)('an empty request in %s is a success', async (encoding) => {
    const body = encoding === 'json' ? '{"resourceSpans":[]}' : new Uint8Array(0);
    expect((await post(body, { type: encoding === 'json' ? JSON_TYPE : PROTOBUF_TYPE })).status).toBe(202);
  });

  test('an invalid span is reported in the encoding of the request and does not affect the others', async () => {
    const errorMessage = 'span 2: traceId must be 32 hexadecimal digits that are not all 0';
    const good = fresh();
    const bad = { ...chat, trace: '0'.repeat(32) };
    const answer = await post(encode('json', good, bad));
    expect(answer.status).toBe(202);
    expect(await answer.json()).toEqual({ partialSuccess: { rejectedSpans: '1', errorMessage } });

    const protobuf = await post(encode('protobuf', fresh(), bad), { type: PROTOBUF_TYPE });
    expect(protobuf.status).toBe(202);
    const { partialSuccess } = ProtobufTraceSerializer.deserializeResponse(await protobuf.bytes());
    expect(partialSuccess).toEqual({ rejectedSpans: 1, errorMessage });
    expect((await list('limit=200')).events.map(({ trace_id }) => trace_id)).toContain(good.trace ?? '');
  });

  test('more than 100 spans in one request are recorded together, and a retry adds none', async () => {
    const tenant = await app.addTenant('Otel batch');
    const parent = {
      ...fresh({ name: 'invoke_agent', attributes: { 'gen_ai.operation.name': 'invoke_agent' } }),
      id: 'f00d',
    };
    const calls = Array.from({ length: 300 }, (_, i) => ({
      ...chat,
      id: String(i + 1),
      parent: 'f00d',
      trace: parent.trace ?? '',
    }));
    const body = encode('protobuf', ...calls, parent);
    for (let attempt = 0; attempt < 2; attempt++) {
      expect((await post(body, { type: PROTOBUF_TYPE, apiKey: tenant.apiKey })).status).toBe(202);
      expect((await list('limit=1', tenant)).total).toBe(301);
    }
    const { events } = await list('limit=1', tenant);
    expect(events[0]).toMatchObject({ trace_id: parent.trace, timestamp: '2026-06-15T11:59:00.000Z' });
  });

  test('a wrapper and the SDK below it are counted once and are both in the trace', async () => {
    const tenant = await app.addTenant('Otel once');
    const outer = { ...fresh(), id: '1' };
    const inner = { ...outer, id: '2', parent: '1' };
    expect((await post(encode('json', inner, outer), { apiKey: tenant.apiKey })).status).toBe(202);
    const { events } = await list('', tenant);
    expect(events.map(({ span_id, cost_status }) => [Number(span_id), cost_status]).sort()).toEqual([
      [1, 'priced'],
      [2, null],
    ]);
  });

  test('an exhausted monthly quota is 429 with the seconds until next month', async () => {
    const tenant = await app.addTenant('Otel quota');
    await app.app.act(setPlan, { organization: tenant.organizationId, plan: 'free', monthlyEvents: 1 });
    const response = await post(encode('protobuf', fresh(), fresh()), {
      type: PROTOBUF_TYPE,
      apiKey: tenant.apiKey,
    });
    expect([response.status, await response.json()]).toEqual([429, { error: 'Monthly quota exceeded' }]);
    expect(Number(response.headers.get('retry-after'))).toBe(15.5 * 86_400);
    expect((await list('', tenant)).total).toBe(0);
  });

  /** The writes that record events, in the file and on ClickHouse. */
  const RECORDS = ['events.record', 'events.outbox'];

  test('an unexpected failure is 503, because exporters drop a batch on 500', async () => {
    const { writer } = app.ctx.db;
    const services = createServices(modules.flatMap((module) => module.services ?? []));
    const spoiled: Ctx = {
      ...app.ctx,
      db: {
        ...app.ctx.db,
        writer: {
          ...writer,
          write: (op, ...given) =>
            RECORDS.includes(op.name) ? Promise.reject(new Error('bug')) : writer.write(op, ...given),
        },
      },
      use: (service) => services.use(spoiled, service),
    };
    const route = otelRoutes[0];
    const request = new Request('http://localhost/v1/otel', {
      method: 'POST',
      body: json,
      headers: { 'content-type': JSON_TYPE },
    });
    const { projectId: id, organizationId } = app.seed;
    const key: KeyScope = extendScope(operatorScope({ id, no: 1, organizationId }), {
      keyId: app.seed.keyId,
      monthlyEvents: 100,
      monthlyBytes: 1e9,
      storePrompts: false,
      redactKeys: [],
      sampleRate: 1,
      flushIntervalMs: 5_000,
      maxBatchSize: 100,
      configVersion: 1,
    });
    const input = { request, query: {}, params: {}, body: undefined, address: null };
    const answer: unknown = await Promise.resolve(route?.handler(spoiled, input, key)).catch(
      (error: unknown) => error,
    );
    expect(answer).toMatchObject({ status: 503, headers: { 'Retry-After': '5' } });
  });
});
