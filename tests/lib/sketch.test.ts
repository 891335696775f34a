import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  addToSketch,
  createBinCounter,
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

test('a counter of bins gives the quantiles of a sketch, one after the other', () => {
  const counter = createBinCounter();
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: 0, max: 1_535 }), fc.nat({ max: 9 }))),
      fc.constantFrom(0.5, 0.95, 1),
      (bins, q) => {
        const sketch = createSketch();
        for (const [bin, count] of bins) {
          sketch[bin] = (sketch[bin] ?? 0) + count;
          counter.add(bin, count);
        }
        expect(counter.takeQuantile(q)).toBe(sketchQuantile(sketch, q));
      },
    ),
  );
});
