import { describe, expect, test } from 'bun:test';
import { chart } from '../../cli/report/chart.ts';
import { compact, duration, heat, moneyColumn, percent, pointChange } from '../../cli/report/figures.ts';

const draw = (values: readonly number[], columns = 40): string[] => {
  const points = values.map((value, i) => ({ label: `d${i}`, value }));
  const lines = chart(points, { columns, height: 2, format: String });
  return lines.map((line) => line.map(({ text }) => text).join(' '));
};

describe('the chart', () => {
  test('scales from zero to the largest value', () => {
    expect(draw([0, 4, 8], 17)).toEqual(['8 ┤         ███', '0 ┤ ▁▁▁ ███ ███', '    d0       d2']);
  });

  test('sums neighbours if there are more points than characters, and never is too wide', () => {
    for (const line of draw(Array.from({ length: 500 }, (_, i) => i)))
      expect(Bun.stringWidth(line)).toBeLessThanOrEqual(40);
  });

  test('a point of zero still shows a mark', () => {
    expect(draw([0, 0], 14)[1]).toMatch(/▁.*▁/);
  });
});

test('figures are formatted for reading', () => {
  expect([0, 7, 999, 1000, 23_100_000].map((value) => compact(value).text)).toEqual([
    '0',
    '7',
    '999',
    '1.00K',
    '23.1M',
  ]);
  expect([0, 0.0001, 0.0196, 1].map((value) => percent(value).text)).toEqual([
    '0.0%',
    '<0.1%',
    '2.0%',
    '100.0%',
  ]);
  expect([0, 912.6, 1100, 21_700, 130_000].map((value) => duration(value).text)).toEqual([
    '–',
    '913 ms',
    '1.10 s',
    '21.7 s',
    '2.2 min',
  ]);
  expect(pointChange(0.04, 0.01)).toMatchObject({ text: '+3.0 pt', tone: 'bad' });
  expect(pointChange(0.01, 0.01).text).toBe('±0 pt');
  expect(heat([0, 1, 2, 3, 4], 4)).toBe('·░▒▓█');
});

test('amounts of one column have the same decimals', () => {
  const write = moneyColumn([0, 12.5, 0.0123]);
  expect([12.5, 0.0123, 0.0001, 0].map((usd) => write(usd).text)).toEqual([
    '$12.500',
    '$0.012',
    '<$0.001',
    '$0.000',
  ]);
  expect(moneyColumn([])(1234.5).text).toBe('$1,234.50');
});
