import { expect, test } from 'bun:test';
import { createGrowingDelay } from '../../src/lib/growing-delay.ts';

const options = { free: 2, firstMs: 1_000, maxMs: 4_000, forgetMs: 60_000, maxKeys: 2 };

test('the free attempts pass, then waits double up to the longest', () => {
  const delay = createGrowingDelay(options);
  expect([delay.take('a', 0), delay.usedUp('a'), delay.take('a', 0), delay.usedUp('a')]).toEqual([
    null,
    false,
    null,
    true,
  ]);
  let now = 0;
  const waits: (number | null)[] = [];
  for (let n = 0; n < 4; n++) {
    const wait = delay.take('a', now);
    waits.push(wait);
    now += (wait ?? 0) * 1_000;
    expect(delay.take('a', now - 1)).toBe(1);
    expect(delay.take('a', now)).toBeNull();
  }
  expect(waits).toEqual([1, 2, 4, 4]);
  expect(delay.usedUp('a')).toBe(false);
});

test('a success, and a long time without an attempt, start again', () => {
  const delay = createGrowingDelay(options);
  for (let n = 0; n < 2; n++) delay.take('a', 0);
  expect(delay.take('a', 0)).toBe(1);
  delay.clear('a');
  for (let n = 0; n < 2; n++) expect(delay.take('a', 0)).toBeNull();
  expect(delay.take('a', 59_999)).toBeNull();
  expect(delay.take('a', 60_000)).toBe(2);
  expect(delay.take('a', 119_999)).toBeNull();
  expect(delay.take('a', 180_000)).toBeNull();
  expect(delay.take('a', 180_000)).toBeNull();
});

test('keys are apart, and the one tried longest ago is forgotten', () => {
  const delay = createGrowingDelay(options);
  for (let n = 0; n < 2; n++) for (const key of ['a', 'b']) delay.take(key, 0);
  expect([delay.take('a', 0), delay.take('b', 0)]).toEqual([1, 1]);
  expect(delay.take('c', 0)).toBeNull();
  expect([delay.take('b', 0), delay.take('a', 0)]).toEqual([1, null]);
});
