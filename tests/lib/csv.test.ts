import { expect, test } from 'bun:test';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { toCsv } from '../../src/lib/csv.ts';

type Row = readonly [text: string, n: number | null];
const columns = [
  { header: 'name', value: ([text]: Row) => text },
  { header: 'n', value: ([, n]: Row) => n },
];
const line = (name: string, n: number | null = 1): string =>
  toCsv(columns, [[name, n]]).slice('name,n\r\n'.length, -'\r\n'.length);

test('is RFC 4180: a heading, CRLF, quotes doubled', () => {
  expect(toCsv(columns, [['a', 1]])).toBe('name,n\r\na,1\r\n');
  expect(toCsv(columns, [['a', 1]], { header: false })).toBe('a,1\r\n');
  expect(line('a,b')).toBe('"a,b",1');
  expect(line('say "hi"')).toBe('"say ""hi""",1');
  expect(line('two\nlines')).toBe('"two\nlines",1');
});

test.each([
  ...['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '\tx'],
  ...[
    ' =1',
    '\u00a0=1',
    '\ufeff=1',
    '\u200b=1',
    '"=1"',
    ' "=1"',
    '\u001b=1',
    '\u0000+1',
    '\u0085=1',
    '＝1',
    '＠x',
  ],
])('text %j is escaped so that no spreadsheet runs it', (text) => {
  expect(line(text)).toMatch(/^"?'/);
});

test.each(['a=1', 'gpt-4o', '2026-11-22', "it's", '1-2', ''])('text %j stays as it is', (text) => {
  expect(line(text)).toBe(`${text},1`);
});

test('numbers stay numbers, and null is empty', () => {
  expect(line('a', -1.5)).toBe('a,-1.5');
  expect(line('a', -1e-7)).toBe('a,-1e-7');
  expect(line('a', null)).toBe('a,');
  expect(line('a', -Infinity)).toBe('a,');
});

test('a carriage return, escape sequence, C1 or bidirectional character does not reach the file', () => {
  expect(line('one\rtwo\r\nthree')).toBe('"one\ntwo\nthree",1');
  expect(line('\u001b[2Jx\u009b31my\u202ez\u0000')).toBe('[2Jx31myz,1');
});

const unit = fc.oneof(
  fc.constantFrom(...'=+-@\t\r\n",;\' \u001b\u009b\u202e\u2028\u0000\ufeff＝'),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  fc.constantFrom('a', '1'),
);
const rows = fc.array(fc.tuple(fc.string({ unit, maxLength: 12 }), fc.option(fc.double({ noNaN: true }))), {
  maxLength: 6,
});

test('whatever the cells contain, a parser reads the same rows, and no cell is a formula', () => {
  fc.assert(
    fc.property(rows, (given) => {
      const text = toCsv<Row>(columns, given);
      expect(text.replaceAll(/[\t\r\n]/g, '')).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u);
      expect(text.replaceAll('\r\n', '')).not.toContain('\r');
      const [heading, ...read] = parse(text, { record_delimiter: '\r\n' });
      expect(heading).toEqual(['name', 'n']);
      expect(read).toHaveLength(given.length);
      for (const [i, [cell = '', n]] of read.entries()) {
        const [sent, number] = given[i] ?? ['', null];
        const clean = sent
          .replaceAll(/\r\n?/g, '\n')
          .replaceAll(/(?![\t\n])[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, '');
        expect([clean, `'${clean}`]).toContain(cell);
        expect(cell).not.toMatch(/^[\s"]*[=+@-]/);
        expect(n).toBe(number === null || !Number.isFinite(number) ? '' : String(number));
      }
    }),
    { numRuns: 3_000 },
  );
});
