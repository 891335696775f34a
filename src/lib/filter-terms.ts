/** One value of a term: as it was typed, and whether in quotes, where `*` and `..` stand for themselves. */
export type TermValue = { readonly text: string; readonly isQuoted: boolean };

/** How a field is compared: `:` is one of the values; the others compare numbers. */
export type TermOperator = ':' | '>' | '>=' | '<' | '<=';

/** A part of a filter: a field with values, or a text to look for (`field` is null). `start` and `end` are its place. */
export type Term = {
  readonly field: string | null;
  readonly not: boolean;
  readonly operator: TermOperator;
  readonly values: readonly TermValue[];
  readonly start: number;
  readonly end: number;
};

/** Says what is wrong with a filter, and where. */
export class FilterSyntaxError extends Error {
  override readonly name = 'FilterSyntaxError';
}

const OPERATORS = ['>=', '<=', ':', '>', '<'] as const;
const SPACE = /\s/;
const NAME_START = /^[A-Za-z_]/;
/** What ends a name, and a value without quotes. */
const ENDS_NAME = /[\s:<>"]/;
const ENDS_VALUE = /[\s,]/;

/**
 * Splits a filter into its terms; all of them must hold.
 * @example parseTerms('model:gpt-4o,"o 3" -status:failed latency>=2s tag."cost center":7 timeout')
 * @throws FilterSyntaxError
 */
export function parseTerms(text: string): Term[] {
  const reader = new Reader(text);
  const terms: Term[] = [];
  for (reader.skipSpace(); !reader.isAtEnd; reader.skipSpace()) terms.push(readTerm(reader));
  return terms;
}

function readTerm(reader: Reader): Term {
  const start = reader.at;
  const not = reader.take('-');
  const begin = reader.at;
  const field = reader.name();
  const operator = OPERATORS.find((one) => reader.take(one));
  if (operator !== undefined && NAME_START.test(field)) {
    const values = [reader.value(field)];
    while (reader.take(',')) values.push(reader.value(field));
    return { field, not, operator, values, start, end: reader.at };
  }
  reader.at = begin;
  const value = reader.value('');
  return { field: null, not, operator: ':', values: [value], start, end: reader.at };
}

class Reader {
  at = 0;
  readonly #text: string;
  constructor(text: string) {
    this.#text = text;
  }

  get isAtEnd(): boolean {
    return this.at >= this.#text.length;
  }

  skipSpace(): void {
    while (!this.isAtEnd && SPACE.test(this.#text.charAt(this.at))) this.at++;
  }

  take(token: string): boolean {
    if (!this.#text.startsWith(token, this.at)) return false;
    this.at += token.length;
    return true;
  }

  /** A field: a name, whose part after a dot may be in quotes. */
  name(): string {
    let name = this.#until(ENDS_NAME);
    if (name.endsWith('.') && this.#text.charAt(this.at) === '"') name += this.#quoted();
    return name;
  }

  value(field: string): TermValue {
    if (this.#text.charAt(this.at) === '"') return { text: this.#quoted(), isQuoted: true };
    const text = field === '' ? this.#until(SPACE) : this.#until(ENDS_VALUE);
    if (text === '')
      throw new FilterSyntaxError(
        field === ''
          ? `a text is missing at character ${this.at + 1}`
          : `${field} has no value; write ${field}:VALUE, or ${field}:* for any`,
      );
    return { text, isQuoted: false };
  }

  #until(end: RegExp): string {
    const start = this.at;
    while (!this.isAtEnd && !end.test(this.#text.charAt(this.at))) this.at++;
    return this.#text.slice(start, this.at);
  }

  #quoted(): string {
    const start = this.at++;
    let found = '';
    for (; !this.isAtEnd; this.at++) {
      const char = this.#text.charAt(this.at);
      if (char === '"') {
        this.at++;
        return found;
      }
      if (char === '\\') this.at++;
      found += this.#text.charAt(this.at);
    }
    throw new FilterSyntaxError(`the quotation mark at character ${start + 1} has no end`);
  }
}

const quote = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
const PLAIN_NAME = /^[^\s:<>"-][^\s:<>"]*$/;
const PLAIN_VALUE = /^[^\s,"*]+$/;

/** A value as a filter writes it: in quotes where it would be read otherwise. */
const formatValue = ({ text, isQuoted }: TermValue): string =>
  !isQuoted || (PLAIN_VALUE.test(text) && !text.includes('..')) ? text : quote(text);

const formatText = ({ text, isQuoted }: TermValue): string =>
  isQuoted && !PLAIN_NAME.test(text) ? quote(text) : text;

function formatField(field: string): string {
  if (PLAIN_NAME.test(field)) return field;
  const dot = field.indexOf('.') + 1;
  return `${field.slice(0, dot)}${quote(field.slice(dot))}`;
}

/** A term as text, which `parseTerms` reads back. */
export function formatTerm({ field, not, operator, values }: Omit<Term, 'start' | 'end'>): string {
  const sign = not ? '-' : '';
  if (field === null) return sign + values.map(formatText).join(' ');
  return `${sign}${formatField(field)}${operator}${values.map(formatValue).join(',')}`;
}

/** `field:value` for exactly this value. */
export const termOf = (field: string, value: string, not = false): string =>
  formatTerm({ field, not, operator: ':', values: [{ text: value, isQuoted: true }] });
