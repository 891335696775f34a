import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import {
  sessionEventsReplySchema,
  sessionReplySchema,
  sessionsReplySchema,
} from '../../../src/features/sessions/contract.ts';
import { openTestApp, TEST_NOW, type Tenant, type TestApp } from '../../helpers/app.ts';

const ODD = 'chat/1?x#y %2F ü';
let app: TestApp;
let other: Tenant;
const iso = (ms: number): string => new Date(TEST_NOW + ms).toISOString();
const CALL = { provider: 'openai', model: 'gpt-4o', input_tokens: 1000, output_tokens: 100, latency_ms: 50 };

beforeAll(async () => {
  app = await openTestApp();
  other = await app.addTenant();
  const events = [
    { ...CALL, session_id: ODD, trace_id: 'b', user_id: 'ada', timestamp: iso(-100) },
    { ...CALL, session_id: ODD, trace_id: 'a', timestamp: iso(-200), name: 'question', kind: 'agent' },
    { ...CALL, session_id: ODD, trace_id: 'a', timestamp: iso(-190), parent_span_id: 'x', status: 'error' },
    { ...CALL, session_id: 'late', timestamp: iso(0) },
    { ...CALL, timestamp: iso(0) },
  ];
  await app.fetch('/v1/ingest', { apiKey: app.seed.apiKey, events });
});
afterAll(() => app.close());

const get = (path: string, tenant: Tenant = app.seed, project = tenant.projectId): Promise<Response> =>
  app.fetch(`${path}${path.includes('?') ? '&' : '?'}projectId=${project}`, { bearer: tenant.bearer });
const list = async (query = ''): Promise<ReturnType<typeof sessionsReplySchema.parse>> =>
  sessionsReplySchema.parse(await (await get(`/v1/sessions${query}`)).json());

describe('GET /v1/sessions', () => {
  test('gives sessions, newest first, with their sums', async () => {
    const { sessions, nextCursor } = await list();
    expect(nextCursor).toBeNull();
    expect(sessions.map(({ session_id }) => session_id)).toEqual(['late', ODD]);
    expect(sessions[1]).toEqual({
      session_id: ODD,
      user_id: 'ada',
      start: iso(-200),
      end: iso(-50),
      duration_ms: 150,
      traces: 2,
      spans: 3,
      llm_calls: 2,
      errors: 1,
      cost_usd: 0.007,
      unpriced: 0,
      input_tokens: 2000,
      output_tokens: 200,
    });
  });

  test('filters and pages', async () => {
    expect((await list('?userId=ada')).sessions.map(({ session_id }) => session_id)).toEqual([ODD]);
    const first = await list('?limit=1');
    expect(first.sessions).toHaveLength(1);
    const second = await list(`?limit=1&cursor=${first.nextCursor}`);
    expect(second.sessions.map(({ session_id }) => session_id)).toEqual([ODD]);
    expect((await get('/v1/sessions?cursor=abc')).status).toBe(400);
  });

  test('another organization sees none of them', async () => {
    expect((await get('/v1/sessions', other, app.seed.projectId)).status).toBe(403);
    expect(await (await get('/v1/sessions', other)).json()).toMatchObject({ sessions: [] });
  });
});

describe('GET /v1/sessions/:sessionId', () => {
  test('gives the traces in the order of their start; ids may hold any characters', async () => {
    const reply = sessionReplySchema.parse(
      await (await get(`/v1/sessions/${encodeURIComponent(ODD)}`)).json(),
    );
    expect(reply.session).toMatchObject({ session_id: ODD, llm_calls: 2 });
    expect(reply.traces.map(({ trace_id, name, spans }) => [trace_id, name, spans])).toEqual([
      ['a', 'question', 2],
      ['b', 'chat', 1],
    ]);
    expect(reply.truncated).toBe(false);
  });

  test('is 404 for a session that was never seen, also for one of another project', async () => {
    expect((await get('/v1/sessions/none')).status).toBe(404);
    expect((await get('/v1/sessions/late', other)).status).toBe(404);
  });
});

describe('GET /v1/sessions/:sessionId/events', () => {
  const path = (id: string): string => `/v1/sessions/${encodeURIComponent(id)}/events`;
  const page = async (query = '') =>
    sessionEventsReplySchema.parse(await (await get(`${path(ODD)}${query}`)).json());

  test('gives the calls oldest first, and all spans where asked', async () => {
    const times = async (query: string) => (await page(query)).events.map(({ timestamp }) => timestamp);
    expect(await times('')).toEqual([iso(-190), iso(-100)]);
    expect(await times('?kind=all')).toEqual([iso(-200), iso(-190), iso(-100)]);
    expect(await times('?kind=agent')).toEqual([iso(-200)]);
  });

  test('pages by cursor until it is null, also over events of one moment and more than are read at once', async () => {
    const events = Array.from({ length: 1_300 }, (_, i) => ({
      ...CALL,
      session_id: 'long',
      name: String(i),
      timestamp: iso(-10_000_000 + Math.floor(i / 3)),
    }));
    for (let start = 0; start < events.length; start += 100) {
      const sent = { apiKey: app.seed.apiKey, events: events.slice(start, start + 100) };
      expect((await app.fetch('/v1/ingest', sent)).status).toBe(202);
    }
    const names: (string | null)[] = [];
    const at: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const found = sessionEventsReplySchema.parse(
        await (await get(`${path('long')}?limit=200&cursor=${cursor}`)).json(),
      );
      names.push(...found.events.map(({ name }) => name));
      at.push(...found.events.map(({ timestamp }) => timestamp));
      cursor = found.nextCursor;
    }
    expect(at).toEqual(at.toSorted());
    expect(names.toSorted()).toEqual(events.map(({ name }) => name).toSorted());
    // Most of what a page reads does not match; the next one goes on after it.
    const found: (string | null)[] = [];
    let pages = 0;
    for (let cursor: string | null = ''; cursor !== null; pages++) {
      const reply = await get(`${path('long')}?q=129&limit=5&cursor=${cursor}`);
      const part = sessionEventsReplySchema.parse(await reply.json());
      found.push(...part.events.map(({ name }) => name));
      cursor = part.nextCursor;
    }
    expect(found.toSorted()).toEqual(names.filter((name) => name?.includes('129')).toSorted());
    expect(found).toHaveLength(12);
    expect(pages).toBeGreaterThan(2);
  });

  test('finds a text in names and errors, in either case; none is a page without events', async () => {
    const times = async (query: string) => (await page(query)).events.map(({ timestamp }) => timestamp);
    expect(await times('?kind=all&q=QUEST')).toEqual([iso(-200)]);
    expect(await times('?q=gpt-4O')).toEqual([iso(-190), iso(-100)]);
    expect(await page('?q=zebra')).toEqual({ events: [], nextCursor: null });
    expect((await get(`${path('none')}?q=zebra`)).status).toBe(404);
    expect((await get(`${path(ODD)}?q=`)).status).toBe(400);
  });

  test('is 404 for a session that was never seen, also for one of another project; 400 for a made-up cursor', async () => {
    expect((await get(path('none'))).status).toBe(404);
    expect((await get(path('late'), other)).status).toBe(404);
    expect((await get(`${path('late')}?cursor=abc`)).status).toBe(400);
  });
});
