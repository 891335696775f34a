import { expect, test } from 'bun:test';
import {
  createRecentIds,
  recentKey,
} from '../../../../../../src/core/events/stores/sqlite/ingest/recent-ids.ts';

test('remembers at least the newest 50,000 ids and forgets the oldest', () => {
  const ids = createRecentIds();
  for (let i = 0; i < 150_000; i++) ids.note(i, i * 2);
  expect(ids.timeOf(149_999)).toBe(299_998);
  expect(ids.timeOf(100_000)).toBe(200_000);
  expect(ids.timeOf(0)).toBeUndefined();
});

test('the latest recorded time wins', () => {
  const ids = createRecentIds();
  ids.note(1, 5);
  ids.note(1, 7);
  expect(ids.timeOf(1)).toBe(7);
});

test('the number of an id differs by its last digits and by project, and is exact', () => {
  const id = 'x00000000000000000000ffffffffffff';
  expect(recentKey(30, id)).toBe(31 * 2 ** 48 - 1);
  expect(Number.isSafeInteger(recentKey(30, id))).toBe(true);
  expect(recentKey(1, id)).not.toBe(recentKey(2, id));
  expect(recentKey(1, id)).not.toBe(recentKey(1, `${id.slice(0, -1)}e`));
});
