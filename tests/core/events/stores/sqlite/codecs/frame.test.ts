import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { DamagedBlob, frame, unframe } from '../../../../../../src/core/events/stores/sqlite/codecs/frame.ts';
import { unaligned } from './unaligned.ts';

const codeOf = (read: () => unknown): string | undefined => {
  try {
    read();
  } catch (error) {
    if (error instanceof DamagedBlob) return error.code;
    throw error;
  }
  return undefined;
};

describe('a framed blob', () => {
  test('gives its payload back, at any alignment', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 500 }), (payload) => {
        const blob = frame(payload);
        expect(unframe(blob)).toEqual(payload);
        expect(unframe(unaligned(blob))).toEqual(payload);
      }),
    );
  });

  test('is not copied, and its payload starts at a multiple of 8', () => {
    const blob = frame(new Uint8Array(new Float64Array([1, 2]).buffer));
    const payload = unframe(blob);
    expect(payload.buffer).toBe(blob.buffer);
    expect(payload.byteOffset % 8).toBe(0);
    expect([...new Float64Array(payload.buffer, payload.byteOffset, 2)]).toEqual([1, 2]);
  });

  test('is recognised as damaged when any bit is flipped', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), fc.nat(), fc.nat(7), (payload, place, bit) => {
        const blob = frame(payload);
        const at = place % blob.length;
        blob[at] = (blob[at] as number) ^ (1 << bit);
        expect(() => unframe(blob)).toThrow(DamagedBlob);
      }),
    );
  });

  test('is recognised as damaged when it is cut or extended', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), fc.nat(), (payload, length) => {
        const blob = frame(payload);
        expect(codeOf(() => unframe(blob.subarray(0, length % blob.length)))).toBe('wrong_length');
        expect(codeOf(() => unframe(Buffer.concat([blob, new Uint8Array(1 + (length % 9))])))).toBe(
          'wrong_length',
        );
      }),
    );
  });

  test('says what is wrong', () => {
    const newer = frame(new Uint8Array([1]));
    newer[0] = 7;
    expect(() => unframe(newer)).toThrow('A stored blob has format version 7, not 1');
    expect(codeOf(() => unframe(newer))).toBe('wrong_version');
    const flipped = frame(new Uint8Array([1]));
    flipped[8] = 2;
    expect(() => unframe(flipped)).toThrow('A stored blob does not match its checksum');
    expect(codeOf(() => unframe(flipped))).toBe('wrong_checksum');
  });
});
