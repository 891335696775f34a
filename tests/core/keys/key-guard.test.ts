import { afterEach, beforeEach, describe, expect, spyOn, test } from 'bun:test';
import { eq } from 'drizzle-orm';
import { createKeyGuards } from '../../../src/core/keys/guard.ts';
import { createKey, listKeys, revokeKey, rotateKey } from '../../../src/core/keys/index.ts';
import { apiKeys } from '../../../src/core/keys/table.ts';
import { setPlan } from '../../../src/core/orgs/index.ts';
import { deleteProject } from '../../../src/core/projects/index.ts';
import type { KeyScope } from '../../../src/core/tenancy/index.ts';
import { sqlOp } from '../../../src/db/sql-op.ts';
import { openTestApp, type TestApp } from '../../helpers/app.ts';
import { eventually } from '../../helpers/eventually.ts';

const DAY_MS = 86_400_000;

let world: TestApp;
/** What the guard says of a request with a key in `x-api-key`. */
const guardOf = ({ ctx }: TestApp): ((key: string) => Promise<KeyScope>) => {
  const { key: guard } = createKeyGuards(ctx);
  return (key) =>
    guard({
      endpoint: { method: 'GET', path: '/', auth: 'key', summary: '' },
      request: new Request('http://localhost/', { headers: { 'x-api-key': key } }),
      address: null,
      param: () => undefined,
      query: () => undefined,
    });
};

let bcrypt: ReturnType<typeof spyOn<typeof Bun.password, 'verify'>>;

beforeEach(async () => {
  world = await openTestApp();
  bcrypt = spyOn(Bun.password, 'verify');
});
afterEach(async () => {
  bcrypt.mockRestore();
  await world.close();
});

const call = (apiKey: string, address?: string) =>
  world.fetch('/v1/sdk/config', { apiKey, ...(address === undefined ? {} : { address }) });
const statuses = async (calls: Promise<Response>[]) => {
  const counts: Record<number, number> = {};
  for (const { status } of await Promise.all(calls)) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};
/** A key that starts like the seed's but is another. */
const wrongKey = (n: number) => world.seed.apiKey.slice(0, 24) + n.toString(16).padStart(44, '0');

describe('a key that cannot be one, or that nobody has', () => {
  const cases: [string, (seed: string) => RequestInit['headers']][] = [
    ['no header', () => ({})],
    ['an empty key', () => ({ 'x-api-key': '' })],
    ['another prefix', (seed) => ({ 'x-api-key': seed.replace('slk_', 'sk_') })],
    ['capital digits', (seed) => ({ 'x-api-key': `slk_${'A'.repeat(64)}${seed.slice(68)}` })],
    ['a digit too few', (seed) => ({ 'x-api-key': seed.slice(0, -1) })],
    ['a digit too many', (seed) => ({ 'x-api-key': `${seed}0` })],
    ['an unknown prefix', () => ({ 'x-api-key': `slk_${'0'.repeat(64)}` })],
    ['the key as a bearer token', (seed) => ({ Authorization: `Bearer ${seed}` })],
    ['the key as a cookie', (seed) => ({ Cookie: `x-api-key=${seed}` })],
    [
      'two keys',
      (seed) =>
        [
          ['x-api-key', seed],
          ['x-api-key', seed],
        ] as [string, string][],
    ],
  ];
  test.each(cases)('%s is 401 without bcrypt', async (_name, headers) => {
    const response = await world.fetch('/v1/sdk/config', { headers: headers(world.seed.apiKey) });
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ error: 'Invalid API key' });
    expect(bcrypt).toHaveBeenCalledTimes(0);
  });
});

test('a bearer token is not a key', async () => {
  expect((await world.fetch('/v1/sdk/config', { bearer: world.seed.bearer })).status).toBe(401);
});

test('500 first requests at the same time cost one bcrypt', async () => {
  expect(await statuses(Array.from({ length: 500 }, () => call(world.seed.apiKey)))).toEqual({ 200: 500 });
  expect(bcrypt).toHaveBeenCalledTimes(1);
});

test('a wrong key with a known prefix costs one bcrypt, not one for each request', async () => {
  for (let i = 0; i < 3; i++) expect((await call(wrongKey(1))).status).toBe(401);
  expect(bcrypt).toHaveBeenCalledTimes(1);
  expect((await call(world.seed.apiKey)).status).toBe(200);
});

test('a revoked key is refused on the next request, and its sibling is not', async () => {
  const other = await world.app.act(createKey, { project: world.seed.projectId, name: 'other' });
  for (const key of [world.seed.apiKey, other.apiKey]) expect((await call(key)).status).toBe(200);
  await world.app.act(revokeKey, { id: world.seed.keyId });
  const response = await call(world.seed.apiKey);
  expect(response.status).toBe(401);
  expect(await response.json()).toEqual({ error: 'Invalid API key' });
  expect((await call(other.apiKey)).status).toBe(200);
});

test('a key that is revoked while bcrypt runs does not get in afterwards', async () => {
  const first = call(world.seed.apiKey);
  await world.app.act(revokeKey, { id: world.seed.keyId });
  await first;
  expect((await call(world.seed.apiKey)).status).toBe(401);
});

test('after a rotation the old key works for 24 hours to the millisecond, cached or not', async () => {
  const { apiKey, previousValidUntil } = await world.app.act(rotateKey, { id: world.seed.keyId });
  expect(previousValidUntil).toBe(new Date(world.clock.now() + DAY_MS).toISOString());
  world.clock.advance(DAY_MS - 1);
  expect((await call(world.seed.apiKey)).status).toBe(200);
  world.clock.advance(1);
  expect((await call(world.seed.apiKey)).status).toBe(401);
  expect((await call(apiKey)).status).toBe(200);
  world.clock.advance(-1);
  expect((await call(world.seed.apiKey)).status).toBe(200);
});

test('both keys of a rotation lead to the same project', async () => {
  const guard = guardOf(world);
  const { apiKey } = await world.app.act(rotateKey, { id: world.seed.keyId });
  const scopes = await Promise.all([world.seed.apiKey, apiKey].map((key) => guard(key)));
  expect(new Set(scopes.map((scope) => scope.projectId))).toEqual(new Set([world.seed.projectId]));
  expect(scopes[0]?.keyId).not.toBe(scopes[1]?.keyId);
});

test('the keys of a deleted project stop at once', async () => {
  expect((await call(world.seed.apiKey)).status).toBe(200);
  await world.app.act(deleteProject, { project: world.seed.projectId });
  expect((await call(world.seed.apiKey)).status).toBe(401);
});

test('a new plan reaches a key that is in use with its next request', async () => {
  const guard = guardOf(world);
  const scope = () => guard(world.seed.apiKey);
  expect(await scope()).toMatchObject({
    projectId: world.seed.projectId,
    organizationId: world.seed.organizationId,
    keyId: world.seed.keyId,
    monthlyEvents: 100_000_000,
    storePrompts: false,
    redactKeys: [],
    sampleRate: 1,
    flushIntervalMs: 5_000,
    maxBatchSize: 100,
    configVersion: 1,
  });
  await world.app.act(setPlan, { organization: 'Acme', plan: 'free', monthlyEvents: 5 });
  expect((await scope()).monthlyEvents).toBe(5);
});

test('a change made elsewhere is seen after the TTL', async () => {
  expect((await call(world.seed.apiKey)).status).toBe(200);
  const revoked = { revokedAt: new Date(world.clock.now()) };
  await world.ctx.db.sql.update(apiKeys).set(revoked).where(eq(apiKeys.id, world.seed.keyId));
  world.clock.advance(59_999);
  expect((await call(world.seed.apiKey)).status).toBe(200);
  world.clock.advance(1);
  expect((await call(world.seed.apiKey)).status).toBe(401);
  expect(bcrypt).toHaveBeenCalledTimes(1);
});

test('of 3,000 requests at once exactly 1,000 pass, and Retry-After is neither early nor late', async () => {
  await call(world.seed.apiKey);
  world.clock.advance(500);
  const counts = await statuses(Array.from({ length: 3_000 }, () => call(world.seed.apiKey)));
  expect(counts).toEqual({ 200: 999, 429: 2_001 });
  const refused = await call(world.seed.apiKey);
  expect(await refused.json()).toEqual({ error: 'Rate limit exceeded' });
  expect(refused.headers.get('Retry-After')).toBe('60');
  const other = await world.app.act(createKey, { project: world.seed.projectId, name: 'other' });
  expect((await call(other.apiKey)).status).toBe(200);
  world.clock.advance(59_499);
  expect((await call(world.seed.apiKey)).status).toBe(429);
  world.clock.advance(1);
  expect(await statuses(Array.from({ length: 3 }, () => call(world.seed.apiKey)))).toEqual({
    200: 1,
    429: 2,
  });
  world.clock.advance(500);
  expect(await statuses(Array.from({ length: 1_001 }, () => call(world.seed.apiKey)))).toEqual({
    200: 999,
    429: 2,
  });
});

test('an address that fails 300 times a minute is refused, others and right keys are not', async () => {
  const spare = await world.app.act(createKey, { project: world.seed.projectId, name: 'spare' });
  await call(world.seed.apiKey);
  const unknown = (n: number) => call(`slk_${n.toString(16).padStart(64, '0')}`);
  for (let i = 0; i < 300; i++) expect((await unknown(i)).status).toBe(401);
  const refused = await unknown(300);
  expect(refused.status).toBe(429);
  expect(refused.headers.get('Retry-After')).toBe('60');
  expect(bcrypt).toHaveBeenCalledTimes(1);
  // A right key passes, although it was never checked before.
  expect((await call(spare.apiKey)).status).toBe(200);
  expect((await call(world.seed.apiKey)).status).toBe(200);
  expect((await unknown(302)).status).toBe(429);
  world.clock.advance(60_000);
  expect((await unknown(301)).status).toBe(401);
});

test('beyond 300 failures an address has 20 guesses a minute at a known prefix, each key apart', async () => {
  const spare = await world.app.act(createKey, { project: world.seed.projectId, name: 'spare' });
  for (let i = 0; i < 300; i++) await call(`slk_${i.toString(16).padStart(64, '0')}`);
  for (let i = 0; i < 20; i++) expect((await call(wrongKey(i))).status).toBe(401);
  expect((await call(wrongKey(20))).status).toBe(429);
  expect(bcrypt).toHaveBeenCalledTimes(20);
  expect((await call(world.seed.apiKey)).status).toBe(429);
  expect((await call(world.seed.apiKey, '203.0.113.9')).status).toBe(200);
  expect((await call(world.seed.apiKey)).status).toBe(200);
  expect((await call(spare.apiKey)).status).toBe(200);
  await world.app.act(revokeKey, { id: spare.id });
  expect((await call(spare.apiKey.slice(0, 24) + '0'.repeat(44))).status).toBe(429);
});

test('what finds no place among the keys being checked is 503, and nothing is spoilt by it', async () => {
  const calls = Array.from({ length: 100 }, (_, n) => call(wrongKey(n)));
  expect(await statuses(calls)).toEqual({ 401: 66, 503: 34 });
  expect((await call(world.seed.apiKey)).status).toBe(200);
});

test('the last use is written once a minute, and a failing write fails nothing', async () => {
  const lastUsedAt = async () => (await listKeys(world.ctx))[0]?.lastUsedAt;
  const start = world.clock.now();
  expect(await lastUsedAt()).toBeNull();
  /** The writer takes its work in order: what was handed over before is written. */
  const written = () => world.ctx.db.writer.write(sqlOp, []);
  await call(world.seed.apiKey);
  await written();
  expect(await lastUsedAt()).toBe(new Date(start).toISOString());
  world.clock.advance(59_999);
  await call(world.seed.apiKey);
  await written();
  expect(await lastUsedAt()).toBe(new Date(start).toISOString());
  world.clock.advance(1);
  await call(world.seed.apiKey);
  await written();
  expect(await lastUsedAt()).toBe(new Date(start + 60_000).toISOString());
  const write = spyOn(world.ctx.db.writer, 'write').mockRejectedValue(new Error('disk on fire'));
  world.clock.advance(60_000);
  expect((await call(world.seed.apiKey)).status).toBe(200);
  await eventually('the failed write', () => write.mock.calls.length > 0);
  expect(write).toHaveBeenCalledTimes(1);
  write.mockRestore();
});

test.each([
  ['nothing', {}, 'in the header x-api-key'],
  ['an access token', { 'x-api-key': `slt_${'0'.repeat(64)}` }, 'an access token only reads'],
])('a 401 for %s says which credential the route takes', async (_, headers, hint) => {
  const world = await openTestApp();
  const reply = await world.fetch('/v1/ingest', { method: 'POST', headers });
  expect([reply.status, await reply.json()]).toEqual([
    401,
    { error: 'Invalid API key', hint: expect.stringContaining(hint) },
  ]);
  const read = await world.fetch(`/v1/costs?projectId=${world.seed.projectId}`, {
    apiKey: world.seed.apiKey,
  });
  expect([read.status, await read.json()]).toEqual([
    401,
    { error: 'Not authenticated', hint: expect.stringContaining('API keys only write events') },
  ]);
  await world.close();
});
