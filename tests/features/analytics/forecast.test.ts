import { describe, expect, test } from 'bun:test';
import { forecast } from '../../../src/features/analytics/forecast.ts';

describe('forecast', () => {
  test('continues the least-squares line', () => {
    expect(forecast([1, 2, 3], 2)).toBeCloseTo(4 + 5);
    expect(forecast([2, 2, 2, 2], 30)).toBeCloseTo(60);
    expect(forecast([0, 2, 1, 3], 1)).toBeCloseTo(3.5);
  });

  test('takes one day for every day, and nothing for nothing', () => {
    expect(forecast([5], 30)).toBeCloseTo(150);
    expect(forecast([], 30)).toBe(0);
  });

  test('is never below 0', () => {
    expect(forecast([10, 5, 0], 30)).toBe(0);
  });
});
