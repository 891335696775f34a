import { describe, expect, test } from 'bun:test';
import { exactColumn, moneyColumn } from '../../src/lib/money-column.ts';

describe('a column of money', () => {
  const texts = (...values: number[]): string[] => values.map((usd) => moneyColumn(values)(usd));

  test('uses the same number of decimals, enough for two digits of the smallest amount', () => {
    expect(texts(13.12, 0.0433, 0)).toEqual(['$13.120', '$0.043', '$0.000']);
    expect(texts(0.00996, 0.0000327)).toEqual(['$0.009960', '$0.000033']);
    expect(texts(1_234.5, 20)).toEqual(['$1,234.50', '$20.00']);
  });

  test('shows amounts below its decimals as less than the smallest step', () => {
    const values = [123_456.789, 0.0433, 0.004, 0];
    expect(values.map(moneyColumn(values, 2))).toEqual(['$123,456.79', '$0.04', '<$0.01', '$0.00']);
    expect(texts(1, 0.0000001)).toEqual(['$1.000000', '<$0.000001']);
  });

  test('handles an empty column and negative amounts', () => {
    expect(moneyColumn([])(0)).toBe('$0.00');
    expect(texts(-1.5, 2)).toEqual(['-$1.50', '$2.00']);
  });
});

describe('a column of exact amounts', () => {
  const texts = (...nanos: number[]): string[] => nanos.map(exactColumn(nanos));

  test('uses the decimals of the longest amount', () => {
    expect(texts(3_675_000, 691_200, 720_000)).toEqual(['$0.0036750', '$0.0006912', '$0.0007200']);
    expect(texts(1, 2_000_000_000)).toEqual(['$0.000000001', '$2.000000000']);
  });

  test('shows at least cents', () => {
    expect(texts(5_000_000_000, 0)).toEqual(['$5.00', '$0.00']);
    expect(exactColumn([])(0)).toBe('$0.00');
    expect(texts(-100_000_000)).toEqual(['-$0.10']);
  });
});
