import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { Reader, Writer } from 'protobufjs/minimal.js';
import { createStrings } from '../../../src/features/otel/read/read-strings.ts';

const bytesOf = (texts: readonly string[]): Buffer => {
  const writer = Writer.create();
  for (const text of texts) writer.string(text);
  return Buffer.from(writer.finish());
};

/** Few letters, so that many are as long as each other and differ in one place; some are longer than is remembered. */
const text = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: fc.constantFrom('a', 'b', '.'), maxLength: 70 }) },
  fc.string({ unit: 'grapheme', maxLength: 30 }),
);
const texts = fc
  .array(text, { minLength: 1, maxLength: 20 })
  .chain((known) => fc.array(fc.oneof(fc.constantFrom(...known), text), { maxLength: 200 }));

test('strings that repeat, or differ in one place, are read as they were written', () => {
  fc.assert(
    fc.property(texts, (written) => {
      const bytes = bytesOf(written);
      const reader = Reader.create(bytes);
      const read = createStrings();
      expect(written.map(() => read(reader))).toEqual(written);
      expect(reader.pos).toBe(bytes.length);
    }),
    { numRuns: 300 },
  );
});

test('a string that is longer than the body is refused, also where an earlier one had its bytes', () => {
  const bytes = bytesOf(['model', 'model']).subarray(0, -1);
  const reader = Reader.create(bytes);
  const read = createStrings();
  expect(read(reader)).toBe('model');
  expect(() => read(reader)).toThrow('out of range');
});
