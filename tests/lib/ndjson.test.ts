import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { type NdjsonLine, splitNdjson } from '../../src/lib/ndjson.ts';
import { cpuMs } from '../helpers/cpu.ts';

const limits = { maxLines: 100, maxLineBytes: 1_048_576 };
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const split = (text: string): NdjsonLine[] | null => splitNdjson(bytes(text), limits);
const concat = (...parts: (string | number[])[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === 'string' ? [...bytes(part)] : part)));

describe('splitNdjson', () => {
  test.each<[string, NdjsonLine[]]>([
    ['', []],
    ['\n', []],
    ['\r\n \t\n\n', []],
    ['a', [{ line: 1, text: 'a' }]],
    ['a\n', [{ line: 1, text: 'a' }]],
    [
      'a\nb',
      [
        { line: 1, text: 'a' },
        { line: 2, text: 'b' },
      ],
    ],
    [
      'a\r\nb\r\n',
      [
        { line: 1, text: 'a' },
        { line: 2, text: 'b' },
      ],
    ],
    [
      '\n\na\n\n  \nb c\n\n',
      [
        { line: 3, text: 'a' },
        { line: 6, text: 'b c' },
      ],
    ],
    [
      '\ufeffa\nb',
      [
        { line: 1, text: 'a' },
        { line: 2, text: 'b' },
      ],
    ],
    [
      'a\n\ufeffb',
      [
        { line: 1, text: 'a' },
        { line: 2, text: '\ufeffb' },
      ],
    ],
    ['\ufeff', []],
    ['  {"a": 1}\t', [{ line: 1, text: '{"a": 1}' }]],
    ['a\u2028b\u0085c\rd', [{ line: 1, text: 'a\u2028b\u0085c\rd' }]],
    ['"\0"', [{ line: 1, text: '"\0"' }]],
  ])('splits %j', (text, lines) => {
    expect(split(text)).toEqual(lines);
  });

  test.each<[string, number[]]>([
    ['a stray continuation byte', [0x80]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['an encoded surrogate', [0xed, 0xa0, 0x80]],
    ['a character cut off by the end of the line', [0xf0, 0x9f, 0x98]],
    ['a byte that UTF-8 never has', [0xff]],
  ])('%s invalidates only its own line', (_, bad) => {
    expect(splitNdjson(concat('one\n"', bad, '"\ntwo 😀'), limits)).toEqual([
      { line: 1, text: 'one' },
      { line: 2, error: 'is not valid UTF-8' },
      { line: 3, text: 'two 😀' },
    ]);
  });

  test('a line over the limit invalidates only itself; its line end does not count', () => {
    const max = { maxLines: 5, maxLineBytes: 4 };
    expect(splitNdjson(bytes('12345\r\n1234\r\n\n12ä\n12€\n'), max)).toEqual([
      { line: 1, error: 'is longer than 4 bytes' },
      { line: 2, text: '1234' },
      { line: 4, text: '12ä' },
      { line: 5, error: 'is longer than 4 bytes' },
    ]);
  });

  test('accepts 100 lines and refuses 101, not counting blank ones', () => {
    expect(split('x\n\n'.repeat(100))?.length).toBe(100);
    expect(split('x\n'.repeat(101))).toBeNull();
  });

  test('ten million line ends take little time', () => {
    const spent = cpuMs(() => {
      expect(splitNdjson(new Uint8Array(10_000_000).fill(120), limits)?.length).toBe(1);
      expect(split('x\n'.repeat(2_000_000))).toBeNull();
    });
    expect(spent).toBeLessThan(5_000);
  });

  test('equals decoding the whole text and splitting it', () => {
    const line = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('', ' ', '{"a":1}'));
    const lineEnd = fc.constantFrom('\n', '\r\n');
    fc.assert(
      fc.property(fc.array(fc.tuple(line, lineEnd)), (rows) => {
        const text = rows.flat().join('');
        const blank = /^[ \t\r]*|[ \t\r]*$/g;
        const expected = new TextDecoder()
          .decode(bytes(text))
          .split('\n')
          .map((row, i) => ({ line: i + 1, text: row.replace(blank, '') }))
          .filter((row) => row.text !== '');
        expect(split(text)).toEqual(expected);
      }),
    );
  });
});
