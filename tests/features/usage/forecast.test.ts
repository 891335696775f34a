import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { forecastUsage } from '../../../src/features/usage/forecast.ts';
import { DAY_MS } from '../../../src/lib/time.ts';

const days = (...events: number[]) => events.map((count, i) => ({ date: `d${i}`, events: count }));
const at = (text: string) => Date.parse(text);

test.each([
  // Half of the month is gone at 10 a day; today so far 5.
  { now: '2026-06-16T00:00:00Z', used: 150, daily: days(...Array(15).fill(10), 0), forecast: 300 },
  // Only the last 7 full days count.
  {
    now: '2026-06-16T00:00:00Z',
    used: 1_070,
    daily: days(500, 500, ...Array(7).fill(10), 0),
    forecast: 1_220,
  },
  // A history of three days, of which the first began somewhere within it.
  { now: '2026-06-29T12:00:00Z', used: 61, daily: days(0, 0, 1, 20, 20, 20), forecast: 91 },
  // What came on the first day may be an import, which is no pace.
  { now: '2026-06-01T12:00:00Z', used: 50, daily: days(0, 0, 50), forecast: null },
  { now: '2026-06-29T00:05:00Z', used: 20_000, daily: days(0, 20_000, 0), forecast: null },
  // Nothing yet.
  { now: '2026-06-01T00:00:00Z', used: 0, daily: days(0, 0, 0), forecast: null },
  // The last millisecond.
  { now: '2026-12-31T23:59:59.999Z', used: 70, daily: days(10, 10, 10), forecast: 70 },
])('at $now with $used used the month ends with $forecast', ({ now, used, daily, forecast }) => {
  expect(forecastUsage({ used, limit: 1e9, daily }, at(now)).forecast).toBe(forecast);
});

test('says when the limit is reached, if it is reached this month', () => {
  const now = at('2026-06-16T00:00:00Z');
  const daily = days(0, ...Array(8).fill(10), 0);
  const when = (limit: number) => forecastUsage({ used: 150, limit, daily }, now).exhaustedAt;
  expect(when(200)).toBe(now + 5 * DAY_MS);
  expect(when(301)).toBeNull();
  expect(when(150)).toBe(now);
  expect(when(100)).toBe(now);
});

test('is never less than what was used, and reaches the limit exactly when it is over it', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(1e6), { minLength: 1, maxLength: 31 }),
      fc.nat(1e7),
      fc.nat(1e7),
      fc.integer({ min: at('2026-01-01T00:00:00Z'), max: at('2027-01-01T00:00:00Z') }),
      (events, used, limit, now) => {
        const { forecast, exhaustedAt } = forecastUsage({ used, limit, daily: days(...events) }, now);
        if (forecast === null) {
          expect(exhaustedAt).toBe(used >= limit ? now : null);
          return;
        }
        expect(forecast).toBeGreaterThanOrEqual(used);
        if (forecast > limit + 1) expect(exhaustedAt).not.toBeNull();
        if (forecast < limit - 1) expect(exhaustedAt).toBeNull();
        if (exhaustedAt !== null) expect(exhaustedAt).toBeGreaterThanOrEqual(now);
      },
    ),
  );
});
