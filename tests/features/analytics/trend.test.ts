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
] as const)('from %d to %d errors is %s', (first, last, trend) => {
  expect(trendOf(first, last)).toBe(trend);
});
