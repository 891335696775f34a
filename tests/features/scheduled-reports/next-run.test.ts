import { expect, test } from 'bun:test';
import {
  lastRun,
  nextRun,
  periodBefore,
  type Schedule,
} from '../../../src/features/scheduled-reports/schedule/next-run.ts';
import { DAY_MS } from '../../../src/lib/time.ts';
import { randomBelow } from '../../helpers/random.ts';

const at = (text: string): number => Date.parse(text);
const iso = (ms: number): string => new Date(ms).toISOString();
const weekly: Schedule = { period: 'week', day: 1, hour: 8, timeZone: 'Europe/Berlin' };

test.each([
  ['a week begins on Monday in the zone', weekly, '2026-11-22T12:00Z', '2026-11-23T07:00:00.000Z'],
  ['the run itself is not after itself', weekly, '2026-11-23T07:00Z', '2026-11-30T07:00:00.000Z'],
  ['summer time keeps the hour', weekly, '2026-03-27T12:00Z', '2026-03-30T06:00:00.000Z'],
  [
    'an hour that the clock skips is the next one',
    { ...weekly, period: 'day', hour: 2 },
    '2026-03-28T12:00Z',
    '2026-03-29T01:00:00.000Z',
  ],
  [
    'an hour that occurs twice is the first one',
    { ...weekly, period: 'day', hour: 2 },
    '2026-10-24T12:00Z',
    '2026-10-25T00:00:00.000Z',
  ],
  [
    'a month has its day',
    { ...weekly, period: 'month', day: 28, timeZone: 'UTC' },
    '2027-02-28T09:00Z',
    '2027-03-28T08:00:00.000Z',
  ],
] satisfies [string, Schedule, string, string][])('%s', (_, schedule, after, expected) => {
  expect(iso(nextRun(schedule, at(after)))).toBe(expected);
});

test('covers the last whole day, week or month of the zone', () => {
  const of = (period: Schedule['period'], when: string, timeZone = 'Europe/Berlin'): string[] => {
    const { from, to } = periodBefore({ period, timeZone }, at(when));
    return [iso(from), iso(to)];
  };
  expect(of('day', '2026-03-30T06:00Z')).toEqual(['2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z']);
  expect(of('week', '2026-03-30T06:00Z')).toEqual(['2026-03-22T23:00:00.000Z', '2026-03-29T22:00:00.000Z']);
  expect(of('week', '2026-03-29T20:00Z')).toEqual(['2026-03-15T23:00:00.000Z', '2026-03-22T23:00:00.000Z']);
  expect(of('month', '2026-03-31T23:00Z')).toEqual(['2026-02-28T23:00:00.000Z', '2026-03-31T22:00:00.000Z']);
  expect(of('month', '2026-03-31T23:00Z', 'UTC')).toEqual([
    '2026-02-01T00:00:00.000Z',
    '2026-03-01T00:00:00.000Z',
  ]);
});

test('the runs around any instant are neighbours, and their periods follow each other', () => {
  const below = randomBelow();
  const pick = <T>(of: readonly T[]): T => of[below(of.length)] as T;
  for (let round = 0; round < 300; round++) {
    const period = pick<Schedule['period']>(['day', 'week', 'month']);
    const schedule: Schedule = {
      period,
      day: 1 + below(period === 'week' ? 7 : 28),
      hour: below(24),
      timeZone: pick(['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Apia']),
    };
    const now = at('2024-01-01T00:00Z') + below(1_200 * 24 * 60) * 60_000;
    const [last, next] = [lastRun(schedule, now), nextRun(schedule, now)];
    expect(last <= now && now < next).toBe(true);
    expect(nextRun(schedule, last)).toBe(next);
    expect(next - last).toBeLessThan(32 * DAY_MS);
    const [before, after] = [periodBefore(schedule, last), periodBefore(schedule, next)];
    expect(before.to).toBeLessThanOrEqual(last);
    expect(after.from).toBe(before.to);
  }
});
