import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { DamagedBlob } from '../../../../../../src/core/events/stores/sqlite/codecs/frame.ts';
import {
  decodeNumbers,
  encodeNumbers,
  openNumbers,
} from '../../../../../../src/core/events/stores/sqlite/codecs/numbers.ts';
import { randomBelow } from '../../../../../helpers/random.ts';
import { unaligned } from './unaligned.ts';

const COUNT = 16_384;

/** Compares bits, but one NaN is like another. */
const expectSame = (given: Float64Array, bytes: Uint8Array): void => {
  const packed = openNumbers(bytes, given.length);
  expectEqual(
    given,
    given.map((_, i) => packed.at(i)),
  );
  expectEqual(given, decodeNumbers(bytes, given.length));
};

const expectEqual = (given: Float64Array, decoded: Float64Array): void => {
  const different = given.findIndex((value, i) => !Object.is(value, decoded[i]));
  expect(different === -1 ? '' : `${given[different]} became ${decoded[different]}`).toBe('');
  expect(decoded.length).toBe(given.length);
};

const columnOf = (value: (i: number) => number): Float64Array =>
  Float64Array.from({ length: COUNT }, (_, i) => value(i));

const hard = fc.constantFrom(
  ...[Number.NaN, -0, 0, Infinity, -Infinity, 0.1 + 0.2, 2 ** 53, 2 ** 53 + 2, 2 ** 53 - 1, -(2 ** 53 - 1)],
  ...[Number.MIN_VALUE, Number.MAX_VALUE, 5e-324, 0.001, 123.456, -0.0004, (2 ** 53 - 1) / 1000, 2 ** 32 - 1],
);
const whole = fc
  .tuple(fc.maxSafeInteger(), fc.integer({ min: 1, max: 33 }))
  .chain(([base, bits]) =>
    fc.array(
      fc.oneof(
        { weight: 9, arbitrary: fc.nat(Math.min(2 ** bits, 2 ** 31 - 1)).map((offset) => base + offset) },
        { weight: 1, arbitrary: fc.constant(Number.NaN) },
      ),
      { maxLength: 70 },
    ),
  );
const thousandths = whole.map((values) => values.map((value) => (value % 1e12) / 1000));
const doubles = fc.array(fc.oneof(fc.double(), hard), { maxLength: 70 });

describe('numbers', () => {
  test('come back bit for bit, at any alignment', () => {
    fc.assert(
      fc.property(fc.oneof(whole, thousandths, doubles, fc.array(hard, { maxLength: 3 })), (values) => {
        const given = Float64Array.from(values);
        const bytes = encodeNumbers(given);
        expectSame(given, bytes);
        expectSame(given, unaligned(bytes));
      }),
      { numRuns: 1_000 },
    );
  });

  test('come back at the edges of each width, with and without nulls', () => {
    for (const bits of [1, 2, 4, 8, 16, 24, 32])
      for (const range of [2 ** bits - 2, 2 ** bits - 1, 2 ** bits])
        for (const base of [0, -3, 2 ** 53 - 1 - range, -(2 ** 53 - 1)])
          for (const scale of [1, 1000])
            for (const first of [Number.NaN, base / scale]) {
              const given = Float64Array.of(first, base / scale, (base + range) / scale);
              expectSame(given, encodeNumbers(given));
            }
  });

  test('take the width that their range needs', () => {
    const below = randomBelow();
    const bytesFor = (range: number): number => encodeNumbers(columnOf(() => 1e12 + below(range))).length;
    expect(bytesFor(1)).toBe(16);
    expect(bytesFor(2)).toBe(16 + COUNT / 8);
    expect(bytesFor(4)).toBe(16 + COUNT / 4);
    expect(bytesFor(16)).toBe(16 + COUNT / 2);
    expect(bytesFor(256)).toBe(16 + 4 + COUNT);
    expect(bytesFor(65_536)).toBe(16 + 8 + 2 * COUNT);
    expect(bytesFor(2 ** 24)).toBe(16 + 12 + 3 * COUNT);
    expect(bytesFor(2 ** 32)).toBe(16 + 16 + 4 * COUNT);
    expect(encodeNumbers(columnOf(() => Number.NaN)).length).toBe(16);
    expect(encodeNumbers(columnOf(() => (below(2) === 0 ? Number.NaN : 0.1 + 0.2))).length).toBeLessThan(
      COUNT * 2,
    );
  });

  test('of whole thousandths are stored as integers', () => {
    const below = randomBelow();
    const given = columnOf(() => below(65_536) / 1000);
    const bytes = encodeNumbers(given);
    expect(bytes.length).toBe(16 + 8 + 2 * COUNT);
    expectSame(given, bytes);
  });

  test('have each byte plane compressed only where that pays', () => {
    const below = randomBelow();
    const given = columnOf(() => below(256) + (below(100) === 0 ? 256 : 0));
    const bytes = encodeNumbers(given);
    expect(bytes.length).toBeGreaterThan(COUNT);
    expect(bytes.length).toBeLessThan(COUNT * 1.1);
    expectSame(given, bytes);
  });

  test('that are not as many as expected are recognised as damaged', () => {
    const below = randomBelow();
    for (const range of [2, 4, 16, 200, 256, 3_000, 65_536, 2 ** 32, 2 ** 50]) {
      const bytes = encodeNumbers(columnOf(() => below(range)));
      expect(() => decodeNumbers(bytes, COUNT + 8)).toThrow(DamagedBlob);
      for (const end of [-1, 20, 15, 0])
        expect(() => decodeNumbers(bytes.subarray(0, end), COUNT)).toThrow(DamagedBlob);
    }
  });
});
