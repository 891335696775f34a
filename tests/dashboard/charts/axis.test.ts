import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { axisOf } from '../../../src/dashboard/ui/charts/axis.ts';

const texts = (kind: Parameters<typeof axisOf>[0], most: number): string[] => {
  const { ticks, text } = axisOf(kind, most);
  return ticks.map(text);
};

test('ticks have round steps and one unit', () => {
  expect(texts('duration', 7_930)).toEqual(['0 s', '2 s', '4 s', '6 s', '8 s']);
  expect(texts('duration', 340)).toEqual(['0 ms', '100 ms', '200 ms', '300 ms', '400 ms']);
  expect(texts('duration', 130_000)).toEqual([
    '0.0 min',
    '0.5 min',
    '1.0 min',
    '1.5 min',
    '2.0 min',
    '2.5 min',
  ]);
  expect(texts('money', 1.78)).toEqual(['$0.00', '$0.50', '$1.00', '$1.50', '$2.00']);
  expect(texts('money', 39)).toEqual(['$0', '$10', '$20', '$30', '$40']);
  expect(texts('fraction', 0.037)).toEqual(['0%', '1%', '2%', '3%', '4%']);
  expect(texts('count', 3)).toEqual(['0', '1', '2', '3']);
  expect(texts('count', 667)).toEqual(['0', '200', '400', '600', '800']);
  expect(texts('count', 0)).toEqual(['0', '1']);
});

test('every axis begins at 0, holds the greatest value, has even steps, and no two ticks read alike', () => {
  const kinds = fc.constantFrom('count', 'money', 'duration', 'fraction', 'bytes', 'rate' as const);
  fc.assert(
    fc.property(kinds, fc.double({ min: 1e-6, max: 1e9, noNaN: true }), (kind, most) => {
      const { ticks, text } = axisOf(kind as 'count', most);
      const [zero, step = 0] = ticks;
      expect(zero).toBe(0);
      expect(ticks.length).toBeLessThanOrEqual(7);
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(most * (1 - 1e-9));
      for (const [n, tick] of ticks.entries()) expect(tick).toBeCloseTo(n * step, 5);
      if (kind === 'count' || kind === 'money') expect(new Set(ticks.map(text)).size).toBe(ticks.length);
    }),
  );
});
