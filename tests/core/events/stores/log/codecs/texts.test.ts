import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { decodeTexts, encodeTexts } from '../../../../../../src/core/events/stores/log/codecs/texts.ts';
import { unaligned } from './unaligned.ts';

test('any strings come back, lone surrogates and NUL too', () => {
  const piece = fc.constantFrom('\ud800', '\udfff', '\0', '\ufeff', '"', '\\', '\u2028', '😀');
  const anyText = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.oneof(piece, fc.string({ maxLength: 1 })) }),
  );
  fc.assert(
    fc.property(fc.array(anyText, { maxLength: 40 }), (strings) => {
      const bytes = encodeTexts(strings);
      expect(decodeTexts(bytes)).toEqual(strings);
      expect(decodeTexts(unaligned(bytes))).toEqual(strings);
    }),
  );
  expect(decodeTexts(encodeTexts(['', '\ud83d', '\0', '']))).toEqual(['', '\ud83d', '\0', '']);
  expect(decodeTexts(encodeTexts([]))).toEqual([]);
});

test('strings that resemble each other are compressed, short ones are not', () => {
  const users = Array.from({ length: 1_000 }, (_, i) => `user_${i}`);
  expect(encodeTexts(users).length).toBeLessThan(JSON.stringify(users).length / 2);
  expect(decodeTexts(encodeTexts(users))).toEqual(users);
  expect(encodeTexts(['gpt-4o']).length).toBe(1 + '["gpt-4o"]'.length);
});
