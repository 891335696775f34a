import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { and, eq } from 'drizzle-orm';
import { createSessionGuards } from '../../../src/core/auth/index.ts';
import { organizationsChanged } from '../../../src/core/orgs/index.ts';
import { members } from '../../../src/core/orgs/table.ts';
import { deleteProject } from '../../../src/core/projects/index.ts';
import { defineEndpoint } from '../../../src/core/tenancy/contract.ts';
import { route } from '../../../src/core/tenancy/index.ts';
import { createFetch } from '../../../src/http/server.ts';
import { openTestApp, type TestApp } from '../../helpers/app.ts';

const WEEK_MS = 604_800_000;

let world: TestApp;
beforeEach(async () => {
  world = await openTestApp();
});
afterEach(() => world.close());

const me = (headers: RequestInit['headers']) => world.fetch('/v1/auth/me', { headers });
const status = async (bearer: string) => (await me({ Authorization: `Bearer ${bearer}` })).status;

describe('what is no session', () => {
  const cases: [string, (bearer: string, rawId: string) => RequestInit['headers']][] = [
    ['no header', () => ({})],
    ['an empty token', () => ({ Authorization: 'Bearer ' })],
    ['another scheme', (bearer) => ({ Authorization: `Basic ${bearer}` })],
    ['a token without a scheme', (bearer) => ({ Authorization: bearer })],
    ['the raw session token, unsigned', (_bearer, raw) => ({ Authorization: `Bearer ${raw}` })],
    [
      'the raw session token with an empty signature',
      (_bearer, raw) => ({ Authorization: `Bearer ${raw}.` }),
    ],
    ['a forged signature', (_bearer, raw) => ({ Authorization: `Bearer ${raw}.${'A'.repeat(43)}=` })],
    ['a signature cut short', (bearer) => ({ Authorization: `Bearer ${bearer.slice(0, -4)}` })],
    [
      'the signature of another token',
      (bearer, raw) => ({
        Authorization: `Bearer ${raw.startsWith('x') ? 'y' : 'x'}${raw.slice(1)}${bearer.slice(32)}`,
      }),
    ],
    ['a token of 100,000 characters', () => ({ Authorization: `Bearer ${'a.'.repeat(50_000)}` })],
    ['a broken escape', (bearer) => ({ Authorization: `Bearer %E0%A4%A${bearer}` })],
    ['a cookie of another name', (bearer) => ({ Cookie: `session=${encodeURIComponent(bearer)}` })],
    [
      'a cookie beside a wrong token',
      (bearer) => ({
        Authorization: 'Bearer x.y',
        Cookie: `spanledger_session=${encodeURIComponent(bearer)}`,
      }),
    ],
    ['a cookie with the raw token', (_bearer, raw) => ({ Cookie: `spanledger_session=${raw}` })],
    ['a project key', () => ({ 'x-api-key': world.seed.apiKey })],
  ];
  test.each(cases)('%s is 401', async (_name, headers) => {
    const { bearer } = world.seed;
    const response = await me(headers(bearer, bearer.slice(0, bearer.indexOf('.'))));
    expect(response.status).toBe(401);
    const body = (await response.json()) as { error: string; hint?: string };
    expect(body.error).toBe('Not authenticated');
    if (body.hint !== undefined) expect(body.hint).toContain('access token');
  });
});

test.each([
  ['in small letters', (bearer: string) => `bearer ${bearer}`],
  ['escaped as in a cookie', (bearer: string) => `Bearer ${encodeURIComponent(bearer)}`],
])('the token is taken %s', async (_name, header) => {
  expect((await me({ Authorization: header(world.seed.bearer) })).status).toBe(200);
});

test('a session ends after its lifetime, to the millisecond, and use does not prolong it', async () => {
  world.clock.advance(WEEK_MS - 1);
  expect(await status(world.seed.bearer)).toBe(200);
  world.clock.advance(1);
  expect(await status(world.seed.bearer)).toBe(401);
});

test('the lifetime is SESSION_TTL_SECONDS', async () => {
  await world.reopen({ SESSION_TTL_SECONDS: '60' });
  const bearer = await world.signIn(world.seed.email);
  world.clock.advance(59_999);
  expect(await status(bearer)).toBe(200);
  world.clock.advance(1);
  expect(await status(bearer)).toBe(401);
  expect(await status(world.seed.bearer)).toBe(200);
});

test('sessions outlive a restart, but not another secret', async () => {
  await world.reopen();
  expect(await status(world.seed.bearer)).toBe(200);
  await world.reopen({ BETTER_AUTH_SECRET: 'another secret of the tests, also long enough' });
  expect(await status(world.seed.bearer)).toBe(401);
  expect(await status(world.seed.bearer.slice(0, world.seed.bearer.indexOf('.')))).toBe(401);
  expect(await status(await world.signIn(world.seed.email))).toBe(200);
});

test('logout ends this session at once and no other', async () => {
  const other = await world.signIn(world.seed.email);
  expect(await status(world.seed.bearer)).toBe(200);
  const logout = () => world.fetch('/v1/auth/logout', { method: 'POST', bearer: world.seed.bearer });
  expect((await logout()).status).toBe(204);
  expect(await status(world.seed.bearer)).toBe(401);
  expect((await logout()).status).toBe(401);
  expect(await status(other)).toBe(200);
});

test('of 1,000 requests at once exactly 300 pass for each session, and Retry-After is true', async () => {
  const other = await world.signIn(world.seed.email);
  const all = await Promise.all(Array.from({ length: 1_000 }, () => status(world.seed.bearer)));
  expect([all.filter((code) => code === 200).length, all.filter((code) => code === 429).length]).toEqual([
    300, 700,
  ]);
  expect(await status(other)).toBe(200);
  world.clock.advance(59_999);
  const refused = await me({ Authorization: `Bearer ${world.seed.bearer}` });
  expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '1']);
  expect(await refused.json()).toEqual({ error: 'Rate limit exceeded' });
  world.clock.advance(1);
  expect(await status(world.seed.bearer)).toBe(200);
});

test('me names the person, their organizations, roles and projects, and nothing foreign', async () => {
  await world.addTenant();
  const viewer = await world.addUser('viewer');
  const response = await world.fetch('/v1/auth/me', { bearer: viewer.bearer });
  const { organizationId, projectId } = world.seed;
  expect(await response.json()).toEqual({
    user: {
      id: viewer.userId,
      email: viewer.email,
      name: viewer.email.slice(0, viewer.email.indexOf('@')),
      emailVerified: true,
      secondFactor: false,
      operator: false,
      timeZone: 'UTC',
    },
    memberships: [
      {
        organizationId,
        organizationName: 'Acme',
        role: 'viewer',
        plan: 'scale',
        monthlyEvents: 100_000_000,
        monthlyBytes: 1e12,
        retentionDays: 365,
        needsSecondFactor: false,
        projects: [{ id: projectId, name: 'Acme project' }],
      },
    ],
  });
});

describe('a route of a project', () => {
  const endpoint = defineEndpoint({ method: 'GET', path: '/v1/test', auth: 'project', summary: 'test' });
  const whoAsks = route(endpoint, (_ctx, _input, { role, scope, userId }) =>
    Response.json({ role, scope, userId }),
  );
  const open = () => {
    const { ctx } = world;
    const guards = createSessionGuards(ctx);
    const fetch = createFetch(ctx, { routes: [whoAsks], guards });
    return (query: string, bearer?: string) =>
      fetch(
        new Request(`http://localhost/v1/test${query}`, {
          headers: bearer === undefined ? {} : { Authorization: `Bearer ${bearer}` },
        }),
      );
  };

  test('is open to each member, with their role and the scope of the project', async () => {
    const get = open();
    const { seed } = world;
    for (const role of ['owner', 'admin', 'member', 'viewer'] as const) {
      const { bearer, userId } = await world.addUser(role);
      const response = await get(`?projectId=${seed.projectId}`, bearer);
      expect(await response.json()).toEqual({
        role,
        userId,
        scope: { projectId: seed.projectId, no: 1, organizationId: seed.organizationId },
      });
    }
  });

  test('asks who calls first, then for the project, then whether the two fit', async () => {
    const get = open();
    expect((await get('?projectId=x')).status).toBe(401);
    expect((await get('')).status).toBe(401);
    const nothing = await get('', world.seed.bearer);
    expect([nothing.status, await nothing.json()]).toEqual([400, { error: 'projectId is required' }]);
  });

  test('answers alike for a foreign, a missing and a deleted project', async () => {
    const get = open();
    const tenant = await world.addTenant();
    const own = world.seed.projectId;
    expect((await get(`?projectId=${own}`, world.seed.bearer)).status).toBe(200);
    await world.app.act(deleteProject, { project: own });
    const ids = [
      tenant.projectId,
      own,
      `prj_${'0'.repeat(32)}`,
      'x',
      'x'.repeat(5_000),
      "' OR 1=1 --",
      '%00',
    ];
    for (const id of ids) {
      const response = await get(`?projectId=${id}`, world.seed.bearer);
      expect([response.status, await response.text(), [...response.headers]]).toEqual([
        403,
        '{"error":"Not a member of this organization"}',
        [
          ['cache-control', 'no-store'],
          ['content-type', 'application/json'],
          ['referrer-policy', 'no-referrer'],
          ['x-content-type-options', 'nosniff'],
        ],
      ]);
    }
  });

  test('is closed with the signal to a person who was removed', async () => {
    const get = open();
    const { bearer, userId } = await world.addUser('member');
    const code = async () => (await get(`?projectId=${world.seed.projectId}`, bearer)).status;
    expect(await code()).toBe(200);
    const membership = and(eq(members.userId, userId), eq(members.organizationId, world.seed.organizationId));
    await world.ctx.db.sql.delete(members).where(membership);
    world.clock.advance(4_999);
    expect(await code()).toBe(200);
    world.ctx.emit(organizationsChanged);
    expect(await code()).toBe(403);
  });

  test('is closed after five seconds to a person whom another process removed', async () => {
    const get = open();
    const { bearer, userId } = await world.addUser('member');
    expect((await get(`?projectId=${world.seed.projectId}`, bearer)).status).toBe(200);
    await world.ctx.db.sql.delete(members).where(eq(members.userId, userId));
    world.clock.advance(5_000);
    expect((await get(`?projectId=${world.seed.projectId}`, bearer)).status).toBe(403);
  });
});
