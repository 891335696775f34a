import { expect, test } from 'bun:test';
import { keptTimes, parseKeepRule } from '../../../src/lib/ranges/keep-rule.ts';
import { HOUR_MS } from '../../../src/lib/time.ts';

const NOW = Date.parse('2026-11-22T12:30:00Z');

test('a rule is read, and what is no rule is not', () => {
  expect(parseKeepRule('24h, 7d,4w')).toEqual([
    { count: 24, unit: 'h' },
    { count: 7, unit: 'd' },
    { count: 4, unit: 'w' },
  ]);
  for (const text of ['', '7', 'd', '0d', '-1d', '7d,', '1.5h', '7 d', '99999h'])
    expect([text, parseKeepRule(text)]).toEqual([text, null]);
});

test('hourly backups of two months: one of each hour, day and week of the rule stays', () => {
  const times = Array.from({ length: 60 * 24 }, (_, i) => NOW - i * HOUR_MS - 60_000);
  const kept = keptTimes(times, parseKeepRule('24h,7d,4w') ?? [], NOW);
  // Two of the 7 days lie in the 24 hours, and the newest of a week or day may be one that another part keeps.
  expect([...kept].filter((time) => time > NOW - 24 * HOUR_MS)).toHaveLength(24);
  expect([...kept].every((time) => time > NOW - 28 * 24 * HOUR_MS)).toBe(true);
  expect(kept.size).toBeLessThanOrEqual(24 + 7 + 4);
  const days = new Set([...kept].map((time) => Math.floor(time / (24 * HOUR_MS))));
  for (let day = 0; day < 7; day++) expect(days.has(Math.floor(NOW / (24 * HOUR_MS)) - day)).toBe(true);
});

test('what is kept once stays kept until its time is over, however often older ones are deleted', () => {
  let times: number[] = [];
  const rule = parseKeepRule('6h,3d,2w') ?? [];
  for (let hour = 0; hour < 24 * 40; hour++) {
    const now = NOW + hour * HOUR_MS;
    times.push(now);
    times = [...keptTimes(times, rule, now)];
  }
  // After forty days of hourly backups and deletions there still is one of each hour, day and week.
  const now = NOW + (24 * 40 - 1) * HOUR_MS;
  const periods = (ms: number): Set<number> =>
    new Set(times.map((time) => Math.floor(now / ms) - Math.floor(time / ms)));
  for (const back of [0, 1, 2, 3, 4, 5]) expect(periods(HOUR_MS).has(back)).toBe(true);
  for (const back of [0, 1, 2]) expect(periods(24 * HOUR_MS).has(back)).toBe(true);
  for (const back of [0, 1]) expect(periods(7 * 24 * HOUR_MS).has(back)).toBe(true);
});

test('the newest stays, however old it is', () => {
  const old = NOW - 10_000 * HOUR_MS;
  expect([...keptTimes([old, old - HOUR_MS], parseKeepRule('24h') ?? [], NOW)]).toEqual([old]);
  expect(keptTimes([], parseKeepRule('24h') ?? [], NOW).size).toBe(0);
});
