import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { DamagedBlob } from '../../../../../../src/core/events/stores/sqlite/codecs/frame.ts';
import {
  joinSections,
  splitSections,
} from '../../../../../../src/core/events/stores/sqlite/codecs/sections.ts';
import { unaligned } from './unaligned.ts';

const parts = fc.array(fc.uint8Array({ maxLength: 30 }), { maxLength: 12 });

test('sections come back as views, each at a multiple of 8', () => {
  fc.assert(
    fc.property(parts, (given) => {
      const joined = joinSections(given);
      const sections = splitSections(joined);
      expect(sections).toEqual(given);
      expect(splitSections(unaligned(joined))).toEqual(given);
      expect(sections.every((section) => section.buffer === joined.buffer)).toBeTrue();
      expect(sections.every((section) => section.byteOffset % 8 === 0)).toBeTrue();
    }),
  );
});

test('sections that lost their end are recognised as damaged', () => {
  fc.assert(
    fc.property(parts, fc.nat(), (given, length) => {
      const joined = joinSections([...given, new Uint8Array(3)]);
      const end = length % joined.length;
      expect(() => splitSections(joined.subarray(0, end))).toThrow(DamagedBlob);
    }),
  );
});
