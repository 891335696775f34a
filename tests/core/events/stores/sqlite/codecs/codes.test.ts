import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  decodeCodes,
  encodeCodes,
  maskAny,
  maskEqual,
} from '../../../../../../src/core/events/stores/sqlite/codecs/codes.ts';
import { DamagedBlob } from '../../../../../../src/core/events/stores/sqlite/codecs/frame.ts';
import { unaligned } from './unaligned.ts';

const WIDTHS = [1, 2, 4, 8, 16, 32];
const codesOf = fc
  .constantFrom(...WIDTHS)
  .chain((width) =>
    fc.array(fc.oneof(fc.integer({ min: 0, max: 2 ** width - 1 }), fc.constantFrom(0, 1, 2 ** width - 1)), {
      maxLength: 70,
    }),
  )
  .map((codes) => Uint32Array.from(codes));

describe('codes', () => {
  test('come back, at any alignment', () => {
    fc.assert(
      fc.property(codesOf, (codes) => {
        const bytes = encodeCodes(codes);
        expect([...decodeCodes(bytes, codes.length)]).toEqual([...codes]);
        expect([...decodeCodes(unaligned(bytes), codes.length)]).toEqual([...codes]);
      }),
      { numRuns: 500 },
    );
  });

  test('take the width that the greatest needs', () => {
    const sizes = [0, ...WIDTHS].map((width) => {
      const codes = new Uint32Array(800);
      codes[799] = 2 ** width - 1;
      return encodeCodes(codes).length;
    });
    expect(sizes).toEqual([8, 108, 208, 408, 808, 1_608, 3_208]);
    expect(encodeCodes(new Uint32Array(800).fill(4_000_000_000)).length).toBe(8);
  });

  test('that are not as many as expected are recognised as damaged', () => {
    for (const width of WIDTHS) {
      const bytes = encodeCodes(Uint32Array.from({ length: 800 }, (_, i) => (i === 0 ? 2 ** width - 1 : 0)));
      expect(() => decodeCodes(bytes, 808)).toThrow(DamagedBlob);
      for (const end of [-1, 7, 0])
        expect(() => decodeCodes(bytes.subarray(0, end), 800)).toThrow(DamagedBlob);
      expect(() => maskEqual(bytes, 808, 1, new Uint8Array(808))).toThrow(DamagedBlob);
    }
  });

  test('mask the events with one of the wanted codes, as a plain loop does', () => {
    fc.assert(
      fc.property(
        codesOf,
        fc.array(fc.oneof(fc.nat(4), fc.constantFrom(255, 256, 65_535, 65_536, 2 ** 32 - 1)), {
          maxLength: 3,
        }),
        fc.infiniteStream(fc.nat(3)),
        fc.boolean(),
        (codes, others, bits, aligned) => {
          const bytes = encodeCodes(codes);
          const before = Uint8Array.from(codes, () => Math.min(bits.next().value as number, 1));
          const maskNow = (): Uint8Array => (aligned ? before.slice() : unaligned(before));
          const wanted = new Set([...others, ...codes.slice(3, 5)]);
          const any = before.map((bit, i) => (wanted.has(codes[i] as number) ? bit : 0));
          const mask = maskNow();
          expect(maskAny(bytes, codes.length, wanted, mask)).toBe(any.includes(1));
          expect([...mask]).toEqual([...any]);

          const code = codes[0] ?? 1;
          const equal = before.map((bit, i) => (codes[i] === code ? bit : 0));
          const mask1 = maskNow();
          expect(maskEqual(bytes, codes.length, code, mask1)).toBe(equal.includes(1));
          expect([...mask1]).toEqual([...equal]);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  test('are masked alike whether a code is rare or frequent', () => {
    for (const every of [1, 2, 3, 7, 40, 5_000]) {
      const codes = Uint32Array.from({ length: 3_000 }, (_, i) => (i % every === 0 ? 300 : 301 + (i % 5)));
      const mask = Uint8Array.from(codes, (_, i) => Number(i % 4 !== 0));
      const expected = mask.map((bit, i) => (codes[i] === 300 ? bit : 0));
      expect(maskEqual(encodeCodes(codes), codes.length, 300, mask)).toBe(expected.includes(1));
      expect([...mask]).toEqual([...expected]);
    }
  });

  test('leave nothing of the mask where no event has the code', () => {
    for (const width of [0, ...WIDTHS]) {
      const codes = Uint32Array.from({ length: 100 }, (_, i) => (i % 2) * (2 ** width - 1));
      const mask = new Uint8Array(100).fill(1);
      expect(maskEqual(encodeCodes(codes), 100, 4_000_000_000, mask)).toBeFalse();
      expect(mask.includes(1)).toBeFalse();
    }
  });

  test.each([1, 15, 255, 65_535, 70_000])(
    'a copy of decoded codes up to %d is a copy, also of a Buffer',
    (most) => {
      const sent = Uint32Array.of(0, most, 1, 0);
      const decoded = decodeCodes(Buffer.from(encodeCodes(sent)), sent.length);
      decoded.slice().fill(0);
      expect(Uint32Array.from(decoded)).toEqual(sent);
    },
  );
});
