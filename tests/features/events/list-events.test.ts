import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { eventPageSchema } from '../../../src/core/events/contract.ts';
import { openTestApp, TEST_NOW, type Tenant, type TestApp } from '../../helpers/app.ts';

let app: TestApp;
let other: Tenant;
const CALL = { provider: 'openai', model: 'gpt-4o', input_tokens: 1000, output_tokens: 100 };
const iso = (ms: number): string => new Date(ms).toISOString();

beforeAll(async () => {
  app = await openTestApp();
  other = await app.addTenant();
  const events = Array.from({ length: 60 }, (_, i) => ({
    ...CALL,
    timestamp: iso(TEST_NOW - i * 60_000),
    status: i % 10 === 0 ? 'error' : 'success',
    environment: i % 2 === 0 ? 'production' : 'staging',
    user_id: `user-${i % 3}`,
    session_id: `session-${i % 4}`,
  }));
  const tool = { kind: 'tool', name: 'search', timestamp: iso(TEST_NOW) };
  await app.fetch('/v1/ingest', { apiKey: app.seed.apiKey, events: [...events, tool] });
  await app.fetch('/v1/ingest', { apiKey: other.apiKey, events: [{ ...CALL, timestamp: iso(TEST_NOW) }] });
});
afterAll(() => app.close());

const get = (query: string, tenant: Tenant = app.seed): Promise<Response> =>
  app.fetch(`/v1/events?projectId=${tenant.projectId}${query}`, { bearer: tenant.bearer });

describe('GET /v1/events', () => {
  test('gives 50 events to a page, newest first, with all that the contract says', async () => {
    const response = await get('');
    expect(response.status).toBe(200);
    const page = eventPageSchema.parse(await response.json());
    expect(page.events).toHaveLength(50);
    expect(page.total).toBe(60);
    expect(page.events[0]).toMatchObject({ ...CALL, timestamp: iso(TEST_NOW), kind: 'llm' });
    const times = page.events.map(({ timestamp }) => timestamp);
    expect(times).toEqual(times.toSorted().reverse());

    const rest = eventPageSchema.parse(await (await get(`&cursor=${page.nextCursor}`)).json());
    expect(rest.events).toHaveLength(10);
    expect(rest.nextCursor).toBeNull();
    expect(rest.total).toBe(60);
  });

  test.each([
    ['&status=error', 6],
    ['&environment=staging', 30],
    ['&userId=user-0', 20],
    ['&userId=user-0&status=error', 2],
    ['&sessionId=session-1', 15],
    ['&model=gpt-4o', 60],
    ['&model=gpt-4', 0],
    ['&provider=openai', 60],
    ['&model=', 60],
    ['&kind=llm', 60],
    ['&kind=tool', 1],
    ['&kind=all', 61],
    ['&kind=embedding', 0],
    [`&start=${iso(TEST_NOW - 60_000)}`, 2],
    [`&start=${iso(TEST_NOW - 120_000)}&end=${iso(TEST_NOW - 60_000)}`, 2],
    [`&end=${iso(TEST_NOW - 59 * 60_000)}`, 1],
    ['&start=2026-06-15&end=2026-06-15', 0],
    ['&unknown=1', 60],
  ])('with %s counts %d', async (query, total) => {
    const page = eventPageSchema.parse(await (await get(`${query}&limit=200`)).json());
    expect(page.total).toBe(total);
    expect(page.events).toHaveLength(total);
  });

  test.each([
    ['&limit=0', 'limit: '],
    ['&limit=201', 'limit: '],
    ['&limit=ten', 'limit: '],
    ['&limit=1.5', 'limit: '],
    ['&status=failed', 'status: '],
    ['&kind=song', 'kind: '],
    ['&start=yesterday', 'start: must be ISO 8601'],
    ['&end=2026-02-30', 'end: must be ISO 8601'],
    ['&start=2026-06-02&end=2026-06-01', 'start: must not be after end'],
    ['&cursor=abc', 'cursor: was not returned'],
  ])('answers 400 to %s and names the parameter', async (query, message) => {
    const response = await get(query);
    expect(response.status).toBe(400);
    expect(((await response.json()) as { error: string }).error).toStartWith(message);
  });

  test('shows a tenant its own events only', async () => {
    const page = eventPageSchema.parse(await (await get('&kind=all', other)).json());
    expect(page.total).toBe(1);
    const foreign = await app.fetch(`/v1/events?projectId=${app.seed.projectId}`, { bearer: other.bearer });
    expect(foreign.status).toBe(403);
    expect(await foreign.json()).toEqual({ error: 'Not a member of this organization' });
  });

  test('asks for a sign-in first, then for the project', async () => {
    expect((await app.fetch('/v1/events')).status).toBe(401);
    const response = await app.fetch('/v1/events', { bearer: app.seed.bearer });
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ error: 'projectId is required' });
  });
});
