import { expect, test } from 'bun:test';
import { createFailureLog } from '../../src/lib/failure-log.ts';

test('the last allowed failure blocks a key until its first failure leaves the window', () => {
  const log = createFailureLog({ limit: 3, windowMs: 10_000, maxKeys: 10 });
  for (const time of [0, 1_000, 2_500]) {
    expect(log.retryAfter('a', time)).toBeNull();
    log.add('a', time);
  }
  expect(log.retryAfter('a', 2_500)).toBe(8);
  expect(log.retryAfter('a', 9_999)).toBe(1);
  expect(log.retryAfter('a', 10_000)).toBeNull();
  expect(log.count('a', 10_000)).toBe(2);
  expect(log.retryAfter('b', 2_500)).toBeNull();
});

test('a clock that steps back unlocks nothing', () => {
  const log = createFailureLog({ limit: 1, windowMs: 10_000, maxKeys: 10 });
  log.add('a', 50_000);
  expect(log.retryAfter('a', 20_000)).toBe(40);
});

test('beyond maxKeys, the key that failed longest ago is forgotten', () => {
  const log = createFailureLog({ limit: 1, windowMs: 10_000, maxKeys: 2 });
  for (const key of ['a', 'b', 'a', 'c']) log.add(key, 0);
  expect(['a', 'b', 'c'].map((key) => log.count(key, 0))).toEqual([1, 0, 1]);
});
