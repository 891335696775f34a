import { afterEach, beforeEach, expect, test } from 'bun:test';
import { apiKeys } from '../../../src/core/keys/table.ts';
import type { Role } from '../../../src/core/tenancy/contract.ts';
import { DAY_MS } from '../../../src/lib/time.ts';
import { openTestApp, type TestApp } from '../../helpers/app.ts';
import { asker, everyRole } from '../../helpers/people.ts';

let world: TestApp;
let ask: ReturnType<typeof asker>;
let base: string;
beforeEach(async () => {
  world = await openTestApp();
  ask = asker(world);
  base = `/v1/projects/${world.seed.projectId}/keys`;
});
afterEach(() => world.close());

type Made = { id: string; apiKey: string; name: string };
type Listed = { id: string; state: string; lastUsedAt: string | null };
const create = async (name = 'ci') => (await ask('POST', base, world.seed.bearer, { name })).body as Made;
const list = async () => ((await ask('GET', base, world.seed.bearer)).body as { keys: Listed[] }).keys;
const ingest = async (apiKey: string) =>
  (await world.fetch('/v1/ingest', { apiKey, events: [{ provider: 'openai', model: 'gpt-4o' }] })).status;

test('a key is shown once, where it is made, and then known by its prefix', async () => {
  const reply = await world.fetch(base, { bearer: world.seed.bearer, json: { name: ' ci ' } });
  expect([reply.status, reply.headers.get('Cache-Control')]).toEqual([201, 'no-store']);
  const { id, apiKey, name } = (await reply.json()) as Made;
  expect([apiKey, name]).toEqual([expect.stringMatching(/^slk_[0-9a-f]{64}$/), 'ci']);
  const { body } = await ask('GET', base, world.seed.bearer);
  expect((body as { keys: Listed[] }).keys.find((key) => key.id === id)).toEqual({
    id,
    name: 'ci',
    projectId: world.seed.projectId,
    projectName: 'Acme project',
    prefix: apiKey.slice(0, 16),
    state: 'active',
    createdAt: new Date(world.clock.now()).toISOString(),
    createdBy: 'ada@example.com',
    makerLeft: false,
    expiresAt: null,
    lastUsedAt: null,
    validUntil: null,
    revokedAt: null,
  } as never);
  expect(JSON.stringify(body)).not.toContain(apiKey.slice(0, 20));
  expect(JSON.stringify(await world.ctx.db.sql.select().from(apiKeys))).not.toContain(apiKey.slice(0, 20));
  expect(await ingest(apiKey)).toBe(202);
});

test('a rotated key works for 24 hours to the millisecond, its successor on', async () => {
  const old = await create();
  const { status, body } = await ask('POST', `${base}/${old.id}/rotate`, world.seed.bearer);
  const made = body as Made & { previousValidUntil: string };
  expect(status).toBe(200);
  expect(made.previousValidUntil).toBe(new Date(world.clock.now() + DAY_MS).toISOString());
  world.clock.advance(DAY_MS - 1_000);
  expect([await ingest(old.apiKey), await ingest(made.apiKey)]).toEqual([202, 202]);
  world.clock.advance(999);
  expect(await ingest(old.apiKey)).toBe(202);
  world.clock.advance(1);
  expect([await ingest(old.apiKey), await ingest(made.apiKey)]).toEqual([401, 202]);
  world.clock.advance(1_000);
  expect(await ingest(old.apiKey)).toBe(401);
  expect((await list()).find(({ id }) => id === old.id)?.state).toBe('expired');
  const bearer = await world.signIn(world.seed.email);
  expect((await ask('POST', `${base}/${old.id}/rotate`, bearer)).status).toBe(409);
});

test('of ten rotations at once one makes a key', async () => {
  const old = await create();
  const before = (await list()).length;
  const replies = await Promise.all(
    Array.from({ length: 10 }, () => ask('POST', `${base}/${old.id}/rotate`, world.seed.bearer)),
  );
  expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)]);
  expect(await list()).toHaveLength(before + 1);
});

test('a revoked key is refused at the next request, what it wrote stays', async () => {
  const { id, apiKey } = await create();
  expect(await ingest(apiKey)).toBe(202);
  expect((await ask('DELETE', `${base}/${id}`, world.seed.bearer)).status).toBe(200);
  const refused = await world.fetch('/v1/ingest', {
    apiKey,
    events: [{ provider: 'openai', model: 'gpt-4o' }],
  });
  expect([refused.status, await refused.json()]).toEqual([401, { error: 'Invalid API key' }]);
  expect((await list()).find((key) => key.id === id)?.state).toBe('revoked');
  const events = await ask('GET', `/v1/events?projectId=${world.seed.projectId}`, world.seed.bearer);
  expect(events.body).toMatchObject({ total: 1 });
});

test('its use is noted to the minute, and not written for each request', async () => {
  const { id, apiKey } = await create();
  for (let i = 0; i < 5; i++) await ingest(apiKey);
  const first = new Date(world.clock.now()).toISOString();
  const used = async () => (await list()).find((key) => key.id === id)?.lastUsedAt;
  expect(await used()).toBe(first);
  world.clock.advance(59_999);
  await ingest(apiKey);
  expect(await used()).toBe(first);
  world.clock.advance(1);
  await ingest(apiKey);
  expect(await used()).toBe(new Date(world.clock.now()).toISOString());
});

test.each([
  ['owner', 200, 201],
  ['admin', 200, 201],
  ['member', 200, 403],
  ['viewer', 200, 403],
] as const)('%s may read: %i, write: %i', async (role: Role, read, write) => {
  const { bearer } = (await everyRole(world))[role];
  const { id } = await create();
  const before = (await list()).length;
  expect((await ask('GET', base, bearer)).status).toBe(read);
  expect((await ask('POST', base, bearer, { name: 'x' })).status).toBe(write);
  expect((await ask('POST', `${base}/${id}/rotate`, bearer)).status).toBe(write === 201 ? 200 : 403);
  expect((await ask('DELETE', `${base}/${id}`, bearer)).status).toBe(write === 201 ? 200 : 403);
  expect(await list()).toHaveLength(before + (write === 201 ? 2 : 0));
});

test("another project's key is none of this one's", async () => {
  const stranger = await world.addTenant();
  for (const path of [`${base}/${stranger.keyId}`, `${base}/key_missing`]) {
    expect((await ask('DELETE', path, world.seed.bearer)).status).toBe(404);
    expect((await ask('POST', `${path}/rotate`, world.seed.bearer)).status).toBe(404);
  }
  const foreign = `/v1/projects/${stranger.projectId}/keys`;
  expect((await ask('POST', foreign, world.seed.bearer, { name: 'x' })).status).toBe(403);
  expect((await ask('DELETE', `${foreign}/${stranger.keyId}`, world.seed.bearer)).status).toBe(403);
  expect(await ingest(stranger.apiKey)).toBe(202);
});
