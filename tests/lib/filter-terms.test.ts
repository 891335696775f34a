import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { FilterSyntaxError, formatTerm, parseTerms, type Term, termOf } from '../../src/lib/filter-terms.ts';

const withoutPlace = ({ start: _, end: __, ...term }: Term) => term;

describe('parseTerms', () => {
  test('fields, values, operators, quotes and texts', () => {
    expect(
      parseTerms('model:gpt-4o,"o 3" -status:failed latency>=2s tag."cost center":7 -"rate limit" x').map(
        withoutPlace,
      ),
    ).toEqual([
      {
        field: 'model',
        not: false,
        operator: ':',
        values: [
          { text: 'gpt-4o', isQuoted: false },
          { text: 'o 3', isQuoted: true },
        ],
      },
      { field: 'status', not: true, operator: ':', values: [{ text: 'failed', isQuoted: false }] },
      { field: 'latency', not: false, operator: '>=', values: [{ text: '2s', isQuoted: false }] },
      { field: 'tag.cost center', not: false, operator: ':', values: [{ text: '7', isQuoted: false }] },
      { field: null, not: true, operator: ':', values: [{ text: 'rate limit', isQuoted: true }] },
      { field: null, not: false, operator: ':', values: [{ text: 'x', isQuoted: false }] },
    ]);
  });

  test('each term knows its place', () => {
    const text = '  a:b  "c d"';
    expect(parseTerms(text).map(({ start, end }) => text.slice(start, end))).toEqual(['a:b', '"c d"']);
  });

  test.each([
    ['model:', 'model has no value'],
    ['model:a, b', 'model has no value'],
    ['"abc', 'quotation mark at character 1'],
    ['-', 'a text is missing at character 2'],
  ])('%s is refused', (text, message) => {
    expect(() => parseTerms(text)).toThrow(FilterSyntaxError);
    expect(() => parseTerms(text)).toThrow(message);
  });

  test('any value of a field is read back as it was', () => {
    const name = fc.oneof(
      fc.constantFrom('model', 'user', 'tag.team'),
      fc.string({ minLength: 1 }).map((key) => `tag.${key}`),
    );
    fc.assert(
      fc.property(name, fc.string(), fc.boolean(), (field, value, not) => {
        const terms = parseTerms(termOf(field, value, not)).map(withoutPlace);
        expect(terms).toHaveLength(1);
        expect(terms[0]).toMatchObject({ field, not, values: [{ text: value }] });
        // What is plain without quotes must not be a pattern.
        const [read] = terms[0]?.values ?? [];
        expect(read?.isQuoted || !/[*]|\.\./.test(value)).toBe(true);
      }),
    );
  });

  test('any text is refused or reads the same when it was written again', () => {
    const piece = fc.constantFrom(
      'a',
      'model',
      ':',
      '"',
      '\\',
      ' ',
      ',',
      '-',
      '>',
      '<=',
      '*',
      '..',
      '.',
      'tag.',
      '7',
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 12 }).map((parts) => parts.join('')),
        (text) => {
          let terms: Term[];
          try {
            terms = parseTerms(text);
          } catch (error) {
            expect(error).toBeInstanceOf(FilterSyntaxError);
            return;
          }
          const again = parseTerms(terms.map(formatTerm).join(' '));
          expect(again.map(({ field, not, operator }) => ({ field, not, operator }))).toEqual(
            terms.map(({ field, not, operator }) => ({ field, not, operator })),
          );
          expect(again.map(({ values }) => values.map(({ text: value }) => value))).toEqual(
            terms.map(({ values }) => values.map(({ text: value }) => value)),
          );
        },
      ),
      { numRuns: 500 },
    );
  });
});
