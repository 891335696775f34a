import { FilterSyntaxError, parseTerms, type Term } from '../filter-terms.ts';
import { nearest } from '../nearest.ts';
import {
  choiceOf,
  isAny,
  isComparison,
  numberTest,
  patternsOf,
  rangesOf,
  textOf,
  textTest,
  type ValueTest,
} from './values.ts';

/** A field of rows that the filter language can name. A row may have several texts, of which one must match. */
export type RowField<T> = {
  /** What people call it. */
  readonly label: string;
  /** Offered in its place where a box completes it. */
  readonly example?: string;
} & (
  | { readonly type: 'text'; readonly of: (row: T) => readonly string[] }
  | { readonly type: 'choice'; readonly choices: readonly string[]; readonly of: (row: T) => string }
  | { readonly type: 'number'; readonly of: (row: T) => number | null }
  /** Written `tag.NAME`: the texts that a row has under a name. */
  | { readonly type: 'named'; readonly of: (row: T, name: string) => readonly string[] }
);

/** The fields of one list. A word or a quoted text is looked for in all of its texts. */
export type RowFields<T> = Readonly<Record<string, RowField<T>>>;

const MAX_LENGTH = 2_000;
const MAX_TERMS = 30;

/**
 * What a filter says of rows that are all there: all its parts must hold. The language is that of events.
 * @throws FilterSyntaxError for what cannot be read, and for a field that the rows do not have
 */
export function parseRowFilter<T>(text: string, fields: RowFields<T>): (row: T) => boolean {
  if (text.length > MAX_LENGTH)
    throw new FilterSyntaxError(`it is longer than ${MAX_LENGTH.toLocaleString('en-US')} characters`);
  const terms = parseTerms(text);
  if (terms.length > MAX_TERMS) throw new FilterSyntaxError(`it has more than ${MAX_TERMS} parts`);
  const tests = terms.map((term) => testOf(term, fields));
  return (row) => tests.every((holds) => holds(row));
}

function testOf<T>(term: Term, fields: RowFields<T>): (row: T) => boolean {
  const holds = term.field === null ? inAnyText(term, fields) : ofField(term, term.field, fields);
  return term.not ? (row) => !holds(row) : holds;
}

function inAnyText<T>(term: Term, fields: RowFields<T>): (row: T) => boolean {
  const contains = textTest(textOf(term));
  const texts = Object.values(fields).flatMap((field) => (field.type === 'text' ? [field.of] : []));
  return (row) => texts.some((of) => of(row).some(contains));
}

function ofField<T>(term: Term, given: string, fields: RowFields<T>): (row: T) => boolean {
  const { name, field, own } = fieldOf(given, fields);
  if (field.type === 'number') {
    const { of } = field;
    const holds = numberTest(isAny(term) ? {} : { ranges: rangesOf(name, term, numberIn(name)) });
    return (row) => holds(of(row));
  }
  if (isComparison(term)) throw new FilterSyntaxError(`${given} is not a number; write ${given}:VALUE`);
  const holds = textTest(isAny(term) ? {} : patternsIn(name, term, field));
  if (field.type === 'choice') {
    const { of } = field;
    return (row) => holds(of(row));
  }
  const { of } = field;
  return (row) => of(row, own).some(holds);
}

const patternsIn = <T>(name: string, { values }: Term, field: RowField<T>): ValueTest =>
  field.type === 'choice'
    ? { values: values.map(({ text }) => choiceOf(name, field.choices, text)) }
    : patternsOf(values);

const same = (name: string): string => name.toLowerCase().replaceAll('_', '');

type Found<T> = { readonly name: string; readonly field: RowField<T>; readonly own: string };

/** The field that a name stands for, with what follows its dot. Case and `_` make no difference. */
function fieldOf<T>(given: string, fields: RowFields<T>): Found<T> {
  const dot = given.indexOf('.');
  const [base, own] = dot === -1 ? [given, ''] : [given.slice(0, dot), given.slice(dot + 1)];
  const found = Object.entries(fields).find(
    ([name, { type }]) => same(name) === same(type === 'named' ? base : given),
  );
  if (found === undefined) throw new FilterSyntaxError(unknownField(given, Object.entries(fields)));
  const [name, field] = found;
  if (field.type === 'named' && own === '')
    throw new FilterSyntaxError(`name the ${name}, such as ${field.example ?? `${name}.NAME:VALUE`}`);
  return { name, field, own };
}

function unknownField<T>(given: string, fields: readonly (readonly [string, RowField<T>])[]): string {
  const names = fields.map(([name, { type }]) => (type === 'named' ? `${name}.NAME` : name));
  const similar = nearest(given, names);
  const hint = similar === undefined ? `fields are ${names.join(', ')}.` : `did you mean ${similar}?`;
  return `there is no field "${given}"; ${hint} A text with ":" in it is written in quotes`;
}

const SCALES: Readonly<Record<string, number>> = { '': 1, '%': 1, k: 1_000, m: 1_000_000 };

/** Reads `80`, `80%`, `$5` and `1.5k`. */
const numberIn =
  (name: string) =>
  (text: string): number => {
    const [, number = '', unit = ''] = /^\$?(\d+(?:\.\d+)?)(%|k|m)?$/i.exec(text) ?? [];
    if (number === '')
      throw new FilterSyntaxError(`${name}: "${text}" is not a number; write ${name}>80 or ${name}:50..100`);
    return Number(number) * (SCALES[unit.toLowerCase()] ?? 1);
  };

/**
 * The parts of a filter that are why no row matches: for each, how many rows match without it.
 * @param parts as text
 */
export const countWithout = <T>(
  parts: readonly string[],
  rows: readonly T[],
  fields: RowFields<T>,
): readonly { readonly part: string; readonly count: number }[] =>
  parts.map((part) => {
    const rest = parts.filter((one) => one !== part).join(' ');
    return { part, count: rows.filter(parseRowFilter(rest, fields)).length };
  });
