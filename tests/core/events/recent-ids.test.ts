import { expect, test } from 'bun:test';
import { createRecentIds } from '../../../src/core/events/recent-ids.ts';

test('remembers at least the newest 50,000 ids and forgets the oldest', () => {
  const ids = createRecentIds();
  for (let i = 0; i < 150_000; i++) ids.note(`1 x${i}`, i);
  expect(ids.timeOf('1 x149999')).toBe(149_999);
  expect(ids.timeOf('1 x100000')).toBe(100_000);
  expect(ids.timeOf('1 x0')).toBeUndefined();
  expect(ids.timeOf('2 x149999')).toBeUndefined();
});

test('the time that was noted last stands', () => {
  const ids = createRecentIds();
  ids.note('1 xa', 5);
  ids.note('1 xa', 7);
  expect(ids.timeOf('1 xa')).toBe(7);
});
