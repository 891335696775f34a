import { expect, test } from 'bun:test';
import { createOncePer } from '../../src/lib/once-per.ts';

test('a key is due once per window, each key by itself', () => {
  const isDue = createOncePer({ windowMs: 60_000, maxKeys: 10 });
  expect([isDue('a', 0), isDue('a', 59_999), isDue('b', 59_999), isDue('a', 60_000)]).toEqual([
    true,
    false,
    true,
    true,
  ]);
  expect(isDue('a', 119_999)).toBe(false);
});

test('a clock that steps back starts a new window', () => {
  const isDue = createOncePer({ windowMs: 60_000, maxKeys: 10 });
  expect([isDue('a', 100_000), isDue('a', 99_999), isDue('a', 100_000)]).toEqual([true, true, false]);
});

test('the keys that were due longest ago are forgotten first', () => {
  const isDue = createOncePer({ windowMs: 60_000, maxKeys: 2 });
  for (const key of ['a', 'b', 'c']) isDue(key, 0);
  expect([isDue('c', 1), isDue('b', 1), isDue('a', 1)]).toEqual([false, false, true]);
});
