import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { RedisClient } from 'bun';
import pino from 'pino';
import { createLimits, LIMITS } from '../../src/http/limits.ts';
import { createSharedWindows, type SharedWindows } from '../../src/http/shared-windows.ts';
import type { WindowHit } from '../../src/lib/sliding-window.ts';
import { openTestApp } from '../helpers/app.ts';
import { eventually } from '../helpers/eventually.ts';
import { hasRedis, startRedis, type TestRedis } from '../helpers/redis.ts';

const log = pino({ level: 'silent' });
let redis: TestRedis;
let servers: SharedWindows[];
beforeAll(async () => {
  if (!hasRedis) return;
  redis = await startRedis();
  servers = [1, 2, 3].map(() => createSharedWindows({ url: redis.url, log }));
});
afterAll(async () => {
  if (!hasRedis) return;
  for (const server of servers) server.close();
  await redis.close();
});

const accepted = (hits: readonly (WindowHit | null)[]): number => hits.filter((hit) => hit?.ok).length;
/** Asks the servers in turn, all at once. */
const flood = (key: string, count: number, options: { limit: number; windowMs: number }) =>
  Promise.all(Array.from({ length: count }, (_, i) => servers[i % 3]?.hit(key, options) ?? null));

describe.skipIf(!hasRedis)('windows in Redis', () => {
  test('of 5,000 simultaneous requests at three servers exactly the limit is accepted', async () => {
    const hits = await flood('flood', 5_000, { limit: 1_000, windowMs: 60_000 });
    expect(accepted(hits)).toBe(1_000);
    expect(hits).not.toContain(null);
    const left = hits.flatMap((hit) => (hit?.ok ? [hit.remaining] : []));
    expect(left.sort((a, b) => a - b)).toEqual(Array.from({ length: 1_000 }, (_, i) => i));
  });

  test('in no stretch of the window more than the limit is accepted, and after Retry-After one is', async () => {
    const options = { limit: 7, windowMs: 300 };
    const client = await new RedisClient(redis.url).connect().then(() => new RedisClient(redis.url));
    const times = new Map<number, number>();
    let total = 0;
    for (let round = 0; round < 25; round++) {
      total += accepted(await flood('rolling', 1 + ((round * 7) % 11), options));
      // The log that is kept says when each was accepted.
      const kept = ((await client.send('LRANGE', ['spanledger:limit:rolling', '0', '-1'])) as string[]).map(
        Number,
      );
      for (const time of new Set(kept)) times.set(time, kept.filter((one) => one === time).length);
      // The rounds are spread over several windows of the clock of Redis, which no test can set.
      await Bun.sleep((round * 13) % 40);
    }
    client.close();
    const log = [...times]
      .flatMap(([time, count]) => new Array<number>(count).fill(time))
      .sort((a, b) => a - b);
    expect(log).toHaveLength(total);
    expect(total).toBeGreaterThan(options.limit);
    for (const from of log)
      expect(log.filter((time) => time >= from && time < from + options.windowMs).length).toBeLessThanOrEqual(
        options.limit,
      );
    // On a busy machine a flood may take longer than its window.
    let refused = await servers[0]?.hit('rolling', options);
    while (refused?.ok !== false) refused = await servers[0]?.hit('rolling', options);
    // What the header asks of a client.
    await Bun.sleep(refused.retryAfterSeconds * 1000);
    expect((await servers[1]?.hit('rolling', options))?.ok).toBe(true);
  });

  test('keys are counted separately, and idle ones are dropped', async () => {
    const options = { limit: 1, windowMs: 50 };
    expect(accepted([await flood('a', 1, options), await flood('b', 1, options)].flat())).toBe(2);
    const client = new RedisClient(redis.url);
    const keys = async () => (await client.send('KEYS', ['spanledger:limit:[ab]'])) as string[];
    await eventually('no keys', async () => (await keys()).length === 0);
    client.close();
  });
});

describe.skipIf(!hasRedis)('while Redis is away', () => {
  const config = (REDIS_FALLBACK: 'local' | 'refuse') => ({ REDIS_URL: redis.url, REDIS_FALLBACK });
  const hitOf = (limits: ReturnType<typeof createLimits>) => (key: string) =>
    limits.hit('ai', key).then(
      () => 200,
      (error: { status: number }) => error.status,
    );

  test('requests are counted here, or refused, and shared again when it is back', async () => {
    const local = createLimits({ config: config('local'), log, now: Date.now });
    const refusing = createLimits({ config: config('refuse'), log, now: Date.now });
    const [counts, refuses] = [hitOf(local), hitOf(refusing)];
    expect([await counts('org_1'), await refuses('org_1')]).toEqual([200, 200]);
    redis.stop();
    const away = await Promise.all(Array.from({ length: LIMITS.ai.limit + 5 }, () => counts('org_1')));
    expect(away.filter((status) => status === 200)).toHaveLength(LIMITS.ai.limit);
    expect(await refuses('org_1')).toBe(503);
    redis.resume();
    // Both leave Redis alone for a second after a failure.
    await Bun.sleep(1_300);
    const back = await Promise.all(
      Array.from({ length: LIMITS.ai.limit + 5 }, (_, i) => (i % 2 ? counts : refuses)('org_1')),
    );
    // Some of those that waited in the stopped server's socket were counted when it went on.
    expect(back.filter((status) => status === 200).length).toBeLessThanOrEqual(LIMITS.ai.limit - 2);
    expect(back.filter((status) => status === 429).length).toBeGreaterThanOrEqual(7);
    local.close();
    refusing.close();
  });

  test('a server starts and answers without it', async () => {
    const world = await openTestApp({
      env: { REDIS_URL: 'redis://127.0.0.1:1', REDIS_FALLBACK: 'refuse' },
      empty: true,
    });
    expect((await world.fetch('/healthz')).status).toBe(200);
    await world.close();
    const counting = await openTestApp({ env: { REDIS_URL: 'redis://127.0.0.1:1' } });
    expect((await counting.fetch('/v1/auth/me', { bearer: counting.seed.bearer })).status).toBe(200);
    await counting.close();
  });
});
