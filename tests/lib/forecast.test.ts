import { describe, expect, test } from 'bun:test';
import { forecast, stillToCome } from '../../src/lib/forecast.ts';

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

describe('what is still to come', () => {
  test('is what today lacks of the line, and the line after it', () => {
    expect(stillToCome([1, 2, 3], 3, 1.5)).toEqual([2.5, 5, 6]);
  });

  test('is nothing on a day that has cost more, and never below 0', () => {
    expect(stillToCome([2, 2], 2, 7)).toEqual([0, 2]);
    expect(stillToCome([6, 3], 3, 0)).toEqual([0, 0, 0]);
  });
});
