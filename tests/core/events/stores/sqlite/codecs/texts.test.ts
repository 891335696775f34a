import { expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  decodeTexts,
  encodeTexts,
  openTexts,
} from '../../../../../../src/core/events/stores/sqlite/codecs/texts.ts';
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

test('one string of a list is read alone, and found', () => {
  const texts = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'é', '\ufeff', '😀') }), {
    maxLength: 40,
  });
  fc.assert(
    fc.property(texts, fc.boolean(), (strings, isLong) => {
      const list = isLong ? [...strings, 'x'.repeat(2_000)] : strings;
      const table = openTexts(encodeTexts(list));
      for (const [i, text] of list.entries()) {
        expect(table.at(i)).toBe(text);
        expect(table.indexOf(text)).toBe(list.indexOf(text));
      }
      expect(table.at(-1)).toBeUndefined();
      expect(table.at(list.length)).toBeUndefined();
      expect(table.indexOf('not there')).toBe(-1);
      expect(table.all()).toEqual(list);
    }),
  );
});
