import { expect, test } from 'bun:test';
import { toClockHours } from '../../../src/features/analytics/errors/clock-hours.ts';

const hours = (...times: string[]) => times.map((hour) => ({ hour, rate_limited_count: 2 }));

test('hours of UTC lie where the clock of a zone shows them', () => {
  const from = Date.parse('2026-11-22T23:00:00.000Z');
  const berlin = toClockHours(hours('2026-11-22T23:00:00.000Z'), 'Europe/Berlin');
  expect([...berlin]).toEqual([
    [Date.parse('2026-11-23T00:00:00.000Z'), { count: 2, from, to: from + 3_600_000 }],
  ]);
  const kolkata = toClockHours(hours('2026-11-22T23:00:00.000Z'), 'Asia/Kolkata');
  expect([...kolkata.keys()]).toEqual([Date.parse('2026-11-23T04:00:00.000Z')]);
});

test('the hour that occurs twice when summer time ends has the calls of both, and covers both', () => {
  const both = hours('2026-10-25T00:00:00.000Z', '2026-10-25T01:00:00.000Z');
  const from = Date.parse('2026-10-25T00:00:00.000Z');
  expect([...toClockHours(both, 'Europe/Berlin')]).toEqual([
    [Date.parse('2026-10-25T02:00:00.000Z'), { count: 4, from, to: from + 7_200_000 }],
  ]);
});
