import { expect, test } from 'bun:test';
import { createTally } from '../../src/lib/tally.ts';

const HOUR_MS = 3_600_000;
const open = (maxKeys = 100) => createTally({ free: 3, windowMs: HOUR_MS, maxKeys });
const add = (tally: ReturnType<typeof open>, times: number, now = 0) =>
  Array.from({ length: times }, () => tally.add('a', now)).filter((count) => count !== null);

test('the first are written one by one, then ten, a hundred and a thousand together', () => {
  expect(add(open(), 3 + 10 + 100 + 1_000)).toEqual([1, 1, 1, 10, 100, 1_000]);
});

test('a million in an hour are few entries, and the next window tells the rest', () => {
  const tally = open();
  const written = add(tally, 1_000_000);
  expect(written.length).toBeLessThan(10);
  const rest = 1_000_000 - written.reduce((sum, count) => sum + count, 0);
  expect(tally.add('a', HOUR_MS - 1)).toBeNull();
  expect(tally.add('a', HOUR_MS)).toBe(rest + 2);
  expect(tally.add('a', HOUR_MS)).toBe(1);
});

test('keys are counted apart, and only so many are remembered', () => {
  const tally = open(2);
  add(tally, 3);
  expect([tally.add('b', 0), tally.add('a', 0)]).toEqual([1, null]);
  expect([tally.add('c', 0), tally.add('a', 0)]).toEqual([1, 1]);
});
