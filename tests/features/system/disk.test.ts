import { expect, test } from 'bun:test';
import { growthPerDay, judgeDisk, judgeLog } from '../../../src/features/system/checks/disk.ts';
import { DAY_MS, HOUR_MS } from '../../../src/lib/time.ts';

const GB = 1e9;
const sizes = { file: 10 * GB, wal: 0, free: 100 * GB, total: 200 * GB };

test('the growth of a day is known after six hours', () => {
  expect(growthPerDay([])).toBeNull();
  expect(
    growthPerDay([
      { at: 0, bytes: 1 },
      { at: 5 * HOUR_MS, bytes: 2 },
    ]),
  ).toBeNull();
  expect(
    growthPerDay([
      { at: 0, bytes: GB },
      { at: DAY_MS / 4, bytes: 5 * GB },
      { at: DAY_MS / 2, bytes: 2 * GB },
    ]),
  ).toBe(2 * GB);
});

test.each([
  ['ok', sizes, null],
  ['ok', sizes, -GB],
  ['ok', sizes, 3 * GB],
  ['warn', sizes, 4 * GB],
  ['bad', sizes, 40 * GB],
  ['warn', { ...sizes, free: 15 * GB }, null],
  ['bad', { ...sizes, free: 0.4 * GB }, null],
] as const)('%s for %o that grows by %p a day', (level, disk, growth) => {
  expect(judgeDisk(disk, growth).level).toBe(level);
});

test('a forecast names the days that are left', () => {
  expect(judgeDisk(sizes, 4 * GB).text).toContain('at 4 GB a day it is full in 25 days');
});

test('a log that stays large is named', () => {
  expect(judgeLog({ ...sizes, wal: 20e6 }).level).toBe('ok');
  expect(judgeLog({ ...sizes, wal: 300e6 })).toMatchObject({ level: 'warn', fix: expect.any(String) });
});
