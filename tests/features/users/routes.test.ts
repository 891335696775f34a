import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { userReplySchema, usersReplySchema } from '../../../src/features/users/contract.ts';
import { openTestApp, TEST_NOW, type Tenant, type TestApp } from '../../helpers/app.ts';

const DAY = 86_400_000;
const ODD = 'team/a?b#c %2F ü@x';
let app: TestApp;
let other: Tenant;
const iso = (ms: number): string => new Date(ms).toISOString();
const CALL = { provider: 'openai', model: 'gpt-4o', input_tokens: 1000, output_tokens: 100 };

beforeAll(async () => {
  app = await openTestApp();
  other = await app.addTenant();
  const events = [
    { ...CALL, user_id: 'ada', timestamp: iso(TEST_NOW) },
    { ...CALL, user_id: 'ada', timestamp: iso(TEST_NOW - DAY), model: 'gpt-4o-mini', status: 'timeout' },
    { kind: 'tool', user_id: 'ada', timestamp: iso(TEST_NOW - 40 * DAY) },
    { ...CALL, user_id: ODD, timestamp: iso(TEST_NOW - 1) },
    { ...CALL, user_id: 'alan', timestamp: iso(TEST_NOW - 2), model: 'our-own', environment: 'staging' },
    { ...CALL, timestamp: iso(TEST_NOW) },
  ];
  await app.fetch('/v1/ingest', { apiKey: app.seed.apiKey, events });
});
afterAll(() => app.close());

const get = (path: string, tenant: Tenant = app.seed, project = tenant.projectId): Promise<Response> =>
  app.fetch(`${path}${path.includes('?') ? '&' : '?'}projectId=${project}`, { bearer: tenant.bearer });
const list = async (query = ''): Promise<ReturnType<typeof usersReplySchema.parse>> =>
  usersReplySchema.parse(await (await get(`/v1/users${query}`)).json());
const ids = async (query: string): Promise<string[]> =>
  (await list(query)).users.map(({ user_id }) => user_id);

describe('GET /v1/users', () => {
  test('gives users by cost with the figures of whole days', async () => {
    const { users, total, window } = await list();
    expect(window).toEqual({ start: '2026-05-16T00:00:00.000Z', end: '2026-06-15T23:59:59.999Z' });
    expect(total).toBe(3);
    expect(users).toEqual([
      {
        user_id: 'ada',
        requests: 2,
        errors: 1,
        error_rate: 0.5,
        cost_usd: expect.closeTo(0.0035 + 0.00021, 9),
        unpriced: 0,
        input_tokens: 2000,
        output_tokens: 200,
        events: 2,
        // Of all time: the figures are of the window.
        first_seen: iso(TEST_NOW - 40 * DAY),
        last_seen: iso(TEST_NOW),
      },
      expect.objectContaining({ user_id: ODD, requests: 1, cost_usd: 0.0035 }),
      expect.objectContaining({ user_id: 'alan', cost_usd: 0, unpriced: 1 }),
    ]);
  });

  test.each([
    ['?sort=lastSeen', ['ada', ODD, 'alan']],
    ['?sort=errors&limit=1', ['ada']],
    ['?sort=errorRate&limit=1', ['ada']],
    ['?sort=lastSeen&order=asc', ['alan', ODD, 'ada']],
    ['?search=al', ['alan']],
    ['?search=%25', []],
    ['?environment=staging', ['alan']],
    ['?model=gpt-4o', ['ada', ODD]],
    ['?status=timeout', ['ada']],
    ['?start=2026-06-14T23:00:00Z&end=2026-06-14T23:30:00Z', ['ada']],
    ['?start=2026-01-01T00:00:00Z&end=2026-02-01T00:00:00Z', []],
  ])('%s', async (query, expected) => {
    expect(await ids(query)).toEqual(expected);
  });

  test('pages by cursor until it is null', async () => {
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await list(`?limit=1&sort=requests&cursor=${cursor}`);
      seen.push(...page.users.map(({ user_id }) => user_id));
      cursor = page.nextCursor;
    }
    expect(seen).toEqual(['ada', ODD, 'alan']);
  });

  test.each([
    ['?sort=name', 'sort'],
    ['?order=up', 'order'],
    ['?cursor=abc', 'cursor'],
    ['?start=2026-06-02T00:00:00Z&end=2026-06-01T00:00:00Z', 'start'],
    ['?start=0001-01-01T00:00:00Z', 'start'],
    ['?limit=201', 'limit'],
  ])('%s is 400 and says what is wrong', async (query, field) => {
    const response = await get(`/v1/users${query}`);
    expect(response.status).toBe(400);
    expect(((await response.json()) as { error: string }).error).toContain(field);
  });

  test('another organization sees none of them', async () => {
    expect((await get('/v1/users', other, app.seed.projectId)).status).toBe(403);
    expect(await (await get('/v1/users', other)).json()).toMatchObject({ users: [], total: 0 });
  });
});

describe('GET /v1/users/:userId', () => {
  test('gives the days and models of one user; first and last seen are of all time', async () => {
    const reply = userReplySchema.parse(await (await get('/v1/users/ada')).json());
    expect(reply.user).toMatchObject({
      requests: 2,
      first_seen: iso(TEST_NOW - 40 * DAY),
      last_seen: iso(TEST_NOW),
    });
    expect(reply.days.map(({ date, requests }) => [date, requests])).toEqual([
      ['2026-06-14', 1],
      ['2026-06-15', 1],
    ]);
    expect(reply.models.map(({ model, requests }) => [model, requests])).toEqual([
      ['gpt-4o', 1],
      ['gpt-4o-mini', 1],
    ]);
    expect(reply.modelsSince).toBe(reply.window.start);
  });

  test('with an environment only what happened in it, day by day as without', async () => {
    const of = async (query: string) =>
      userReplySchema.parse(await (await get(`/v1/users/alan${query}`)).json());
    const [all, staging, production] = await Promise.all(
      ['', '?environment=staging', '?environment=production'].map(of),
    );
    expect(staging).toEqual(all as NonNullable<typeof all>);
    expect(production).toMatchObject({ days: [], models: [], user: { requests: 0, events: 0 } });
  });

  test('ids may hold any characters', async () => {
    const reply = await (await get(`/v1/users/${encodeURIComponent(ODD)}`)).json();
    expect(reply).toMatchObject({ user: { user_id: ODD, requests: 1 } });
  });

  test('is 404 for a user that was never seen, also for one of another project', async () => {
    expect((await get('/v1/users/nobody')).status).toBe(404);
    expect((await get('/v1/users/ada', other)).status).toBe(404);
  });
});
