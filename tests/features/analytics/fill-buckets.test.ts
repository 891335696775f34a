import { describe, expect, test } from 'bun:test';
import { fillBuckets } from '../../../src/features/analytics/fill-buckets.ts';
import { HOUR_MS } from '../../../src/lib/time.ts';

const DAY = Date.UTC(2026, 5, 15);
const hoursOf = (from: number, to: number, rows: { time: number }[] = []): number[] =>
  fillBuckets(rows, { from, to }, 'hour').map(({ time }) => (time - DAY) / HOUR_MS);

describe('fillBuckets', () => {
  test('has every bucket that the window touches, empty ones too', () => {
    expect(hoursOf(DAY + 1, DAY + 2 * HOUR_MS + 5)).toEqual([0, 1, 2]);
  });

  test('has no bucket for the inclusive end alone, unless something happened in it', () => {
    expect(hoursOf(DAY, DAY + 2 * HOUR_MS + 1)).toEqual([0, 1]);
    expect(hoursOf(DAY, DAY + 2 * HOUR_MS + 1, [{ time: DAY + 2 * HOUR_MS }])).toEqual([0, 1, 2]);
    expect(hoursOf(DAY, DAY + 1)).toEqual([0]);
  });

  test('puts each row into its bucket', () => {
    const row = { time: DAY + HOUR_MS };
    const filled = fillBuckets([row], { from: DAY, to: DAY + 2 * HOUR_MS }, 'hour');
    expect(filled.map((one) => one.row)).toEqual([undefined, row]);
  });
});
