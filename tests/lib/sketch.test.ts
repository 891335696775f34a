import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  addToSketch,
  createSketch,
  decodeSketch,
  encodeSketch,
  sketchQuantile,
} from '../../src/lib/sketch.ts';

const values = fc.array(
  fc.oneof(fc.integer({ min: 0, max: 1000 }), fc.integer({ min: 0, max: 10_000_000_000_000 })),
  { minLength: 1, maxLength: 300 },
);
const quantile = fc.oneof(
  fc.constantFrom(0.5, 0.9, 0.95, 0.99, 1),
  fc.double({ min: 0.001, max: 1, noNaN: true }),
);
const sketchOf = (list: readonly number[]): ReturnType<typeof createSketch> => {
  const sketch = createSketch();
  for (const value of list) addToSketch(sketch, value);
  return sketch;
};

describe('sketch', () => {
  test('a quantile is within 1 % of the nearest-rank value', () => {
    fc.assert(
      fc.property(values, quantile, (list, q) => {
        const exact = list.toSorted((a, b) => a - b)[Math.max(1, Math.ceil(q * list.length)) - 1] ?? 0;
        const found = sketchQuantile(sketchOf(list), q) ?? Number.NaN;
        expect(Math.abs(found - exact)).toBeLessThanOrEqual(exact * 0.01);
      }),
      { numRuns: 1000 },
    );
  });

  test('encoding and decoding gives the same counts, and decoding into a sketch adds', () => {
    fc.assert(
      fc.property(values, values, (a, b) => {
        expect(decodeSketch(encodeSketch(sketchOf(a)))).toEqual(sketchOf(a));
        expect(decodeSketch(encodeSketch(sketchOf(a)), sketchOf(b))).toEqual(sketchOf([...a, ...b]));
      }),
    );
  });

  test('counts above one byte survive encoding', () => {
    const sketch = createSketch();
    sketch[7] = 4_000_000_000;
    sketch[1400] = 128;
    expect(decodeSketch(encodeSketch(sketch))).toEqual(sketch);
  });

  test('an empty sketch has no quantiles and no bytes', () => {
    expect(sketchQuantile(createSketch(), 0.5)).toBeNull();
    expect(encodeSketch(createSketch())).toHaveLength(0);
  });
});
