import { expect, test } from 'bun:test';
import { toCsv } from '../../cli/csv.ts';

const columns = [
  { header: 'name', value: (row: readonly [string, number | null]) => row[0] },
  { header: 'n', value: (row: readonly [string, number | null]) => row[1] },
];
const line = (name: string, n: number | null = 1): string =>
  toCsv(columns, [[name, n]]).split('\r\n', 2)[1] ?? '';

test('is RFC 4180: a heading, CRLF, quotes doubled', () => {
  expect(toCsv(columns, [['a', 1]])).toBe('name,n\r\na,1\r\n');
  expect(line('a,b')).toBe('"a,b",1');
  expect(line('say "hi"')).toBe('"say ""hi""",1');
  expect(line('two\nlines')).toBe('"two\nlines",1');
});

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1'])(
  'text %j is escaped so that no spreadsheet runs it',
  (text) => {
    expect(line(text)).toMatch(/^"?'/);
  },
);

test('numbers stay numbers, and null is empty', () => {
  expect(line('a', -1.5)).toBe('a,-1.5');
  expect(line('a', null)).toBe('a,');
});
