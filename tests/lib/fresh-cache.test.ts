import { expect, test } from 'bun:test';
import { createFreshCache } from '../../src/lib/fresh-cache.ts';

const setUp = (ttlMs: number, maxKeys = 10) => {
  const world = { now: 1_000, loads: [] as string[], answer: (key: string) => Promise.resolve(key) };
  const cache = createFreshCache({
    ttlMs,
    maxKeys,
    now: () => world.now,
    load: (key) => {
      world.loads.push(key);
      return world.answer(key);
    },
  });
  return { world, cache };
};

test('a value is reloaded exactly when it reaches the TTL', async () => {
  const { world, cache } = setUp(100);
  await cache.get('a');
  world.now += 99;
  await cache.get('a');
  expect(world.loads).toEqual(['a']);
  world.now += 1;
  await cache.get('a');
  expect(world.loads).toEqual(['a', 'a']);
});

test('a clock that steps back makes values stale', async () => {
  const { world, cache } = setUp(100);
  await cache.get('a');
  world.now -= 1;
  await cache.get('a');
  expect(world.loads).toEqual(['a', 'a']);
});

test('concurrent requests share one load, even with a TTL of 0', async () => {
  const { world, cache } = setUp(0);
  await Promise.all([cache.get('a'), cache.get('a'), cache.get('b')]);
  expect(world.loads).toEqual(['a', 'b']);
  await cache.get('a');
  expect(world.loads).toEqual(['a', 'b', 'a']);
});

test('a load that runs during a drop is not cached, and the next request does not join it', async () => {
  const { world, cache } = setUp(100);
  const old = Promise.withResolvers<string>();
  world.answer = () => old.promise;
  const first = cache.get('a');
  cache.drop();
  world.answer = () => Promise.resolve('new');
  expect(await cache.get('a')).toBe('new');
  old.resolve('old');
  expect(await first).toBe('old');
  expect(await cache.get('a')).toBe('new');
});

test('a failure is not cached', async () => {
  const { world, cache } = setUp(100);
  world.answer = () => Promise.reject(new Error('no'));
  await expect(cache.get('a')).rejects.toThrow('no');
  world.answer = () => Promise.resolve('yes');
  expect(await cache.get('a')).toBe('yes');
});

test('beyond maxKeys the oldest value is forgotten', async () => {
  const { world, cache } = setUp(100, 2);
  for (const key of ['a', 'b', 'c', 'b', 'a']) await cache.get(key);
  expect(world.loads).toEqual(['a', 'b', 'c', 'a']);
});
