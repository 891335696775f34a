import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import {
  tracePageSchema,
  traceReplySchema,
  waterfallReplySchema,
} from '../../../src/core/events/contract.ts';
import { openTestApp, TEST_NOW, type Tenant, type TestApp } from '../../helpers/app.ts';

let app: TestApp;
let other: Tenant;
const iso = (ms: number): string => new Date(ms).toISOString();
const CALL = { provider: 'openai', model: 'gpt-4o', input_tokens: 1000, output_tokens: 100, latency_ms: 250 };
const trace = '0af7651916cd43dd8448eb211c80319c';

beforeAll(async () => {
  app = await openTestApp();
  other = await app.addTenant();
  const span = (span_id: string, at: number, more: object) => ({
    trace_id: trace,
    span_id,
    timestamp: iso(TEST_NOW + at),
    ...more,
  });
  await app.fetch('/v1/ingest', {
    apiKey: app.seed.apiKey,
    events: [
      span('c', 20, { ...CALL, parent_span_id: 'b', status: 'timeout' }),
      span('a', 0, { kind: 'agent', name: 'answer', latency_ms: 900, user_id: 'ada' }),
      span('b', 10, { kind: 'chain', parent_span_id: 'a' }),
      span('d', 15, { ...CALL, parent_span_id: 'a' }),
      span('e', 30, { ...CALL, model: 'our-own-model', parent_span_id: 'lost' }),
      { ...CALL, trace_id: 'slash/and space', timestamp: iso(TEST_NOW - 1000) },
    ],
  });
});
afterAll(() => app.close());

const get = (path: string, tenant: Tenant = app.seed): Promise<Response> =>
  app.fetch(`${path}${path.includes('?') ? '&' : '?'}projectId=${tenant.projectId}`, {
    bearer: tenant.bearer,
  });

describe('GET /v1/traces/:traceId', () => {
  test('gives the tree of spans and their sums', async () => {
    const response = await get(`/v1/traces/${trace}`);
    expect(response.status).toBe(200);
    const reply = traceReplySchema.parse(await response.json());
    const [a, e] = reply.spans;
    expect(reply.spans.map(({ span_id, orphan }) => [span_id, orphan])).toEqual([
      ['a', undefined],
      ['e', true],
    ]);
    expect(a?.children.map(({ span_id }) => span_id)).toEqual(['b', 'd']);
    expect(a?.children[0]?.children.map(({ span_id }) => span_id)).toEqual(['c']);
    expect(e?.children).toEqual([]);
    expect(reply.trace).toEqual({
      trace_id: trace,
      start: iso(TEST_NOW),
      end: iso(TEST_NOW + 900),
      duration_ms: 900,
      spans: 5,
      llm_calls: 3,
      errors: 1,
      cost_usd: 0.007,
      unpriced: 1,
      input_tokens: 3000,
      output_tokens: 300,
      truncated: false,
    });
  });

  test('finds a trace whose id has to be escaped', async () => {
    const reply = traceReplySchema.parse(await (await get('/v1/traces/slash%2Fand%20space')).json());
    expect(reply.trace.spans).toBe(1);
  });

  test('is 404 for a trace that is not in the project, in the words of an error', async () => {
    for (const response of [await get('/v1/traces/unheard-of'), await get(`/v1/traces/${trace}`, other)]) {
      expect(response.status).toBe(404);
      expect(await response.json()).toEqual({ error: 'There is no such trace in this project' });
    }
  });
});

describe('GET /v1/traces/:traceId/waterfall', () => {
  test('gives the spans in columns, depth first', async () => {
    const response = await get(`/v1/traces/${trace}/waterfall`);
    expect(response.status).toBe(200);
    const { spans } = waterfallReplySchema.parse(await response.json());
    expect(spans.span_id).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(spans.depth).toEqual([0, 1, 2, 1, 0]);
    expect(spans.below).toEqual([3, 1, 0, 0, 0]);
    expect(spans.start_ms).toEqual([0, 10, 20, 15, 30]);
    expect(spans.orphan).toEqual([false, false, false, false, true]);
    expect(spans.tokens).toEqual([2_200, 1_100, 1_100, 1_100, 1_100]);
    expect(spans.unpriced).toEqual([0, 0, 0, 0, 1]);
  });

  test('is 404 for a trace of somebody else', async () => {
    for (const response of [
      await get('/v1/traces/unheard-of/waterfall'),
      await get(`/v1/traces/${trace}/waterfall`, other),
    ]) {
      expect(response.status).toBe(404);
      expect(await response.json()).toEqual({ error: 'There is no such trace in this project' });
    }
  });
});

describe('GET /v1/traces', () => {
  test('lists traces, newest first, in pages', async () => {
    const page = tracePageSchema.parse(await (await get('/v1/traces?limit=1')).json());
    expect(page.traces).toMatchObject([
      { trace_id: trace, name: 'answer', user_id: 'ada', spans: 5, errors: 1 },
    ]);
    const rest = tracePageSchema.parse(await (await get(`/v1/traces?cursor=${page.nextCursor}`)).json());
    expect(rest.traces.map(({ trace_id }) => trace_id)).toEqual(['slash/and space']);
    expect(rest.nextCursor).toBeNull();
  });

  test('takes the filters of the events', async () => {
    const ids = async (query: string): Promise<string[]> => {
      const page = tracePageSchema.parse(await (await get(`/v1/traces?${query}`)).json());
      return page.traces.map(({ trace_id }) => trace_id);
    };
    expect(await ids('status=timeout')).toEqual([trace]);
    expect(await ids('kind=agent')).toEqual([trace]);
    expect(await ids('userId=ada')).toEqual([trace]);
    expect(await ids('userId=bob')).toEqual([]);
    expect(await ids(`end=${iso(TEST_NOW - 1)}`)).toEqual(['slash/and space']);
  });

  test('is empty for a project without events', async () => {
    expect(await (await get('/v1/traces', other)).json()).toEqual({ traces: [], nextCursor: null });
  });
});
