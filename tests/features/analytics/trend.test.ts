import { expect, test } from 'bun:test';
import { trendOf } from '../../../src/features/analytics/errors/trend.ts';

test.each([
  [0, 3, 'increasing'],
  [0, 2, 'stable'],
  [10, 12, 'stable'],
  [20, 24, 'stable'],
  [20, 25, 'increasing'],
  [20, 16, 'stable'],
  [20, 15, 'decreasing'],
  [3, 0, 'decreasing'],
  [100, 100, 'stable'],
] as const)('with as many calls, from %d to %d errors is %s', (first, last, trend) => {
  expect(trendOf({ first, last, newest: last }, { first: 1_000, last: 1_000 })).toBe(trend);
});

test('more calls alone are no trend, and a group that went silent is not increasing', () => {
  const doubled = { first: 500, last: 1_000 };
  expect(trendOf({ first: 20, last: 40, newest: 20 }, doubled)).toBe('stable');
  expect(trendOf({ first: 20, last: 60, newest: 20 }, doubled)).toBe('increasing');
  expect(trendOf({ first: 20, last: 20, newest: 10 }, doubled)).toBe('decreasing');
  expect(trendOf({ first: 0, last: 40, newest: 0 }, doubled)).toBe('stable');
});
