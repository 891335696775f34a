import { compileGlob } from '../compile-glob.ts';
import { FilterSyntaxError, type Term, type TermValue } from '../filter-terms.ts';

/** Bounds of a number; `over` and `under` exclude the bound itself. */
export type Range = {
  readonly min?: number;
  readonly over?: number;
  readonly max?: number;
  readonly under?: number;
};

/**
 * What a value must be: one of `values`, like one of `globs` (`*` is any characters, `?` one; in lower case, letters
 * match in either case), a text with `contains` in it, or a number in one of `ranges`; without any of them, there.
 */
export type ValueTest = {
  readonly values?: readonly string[];
  readonly globs?: readonly string[];
  readonly contains?: string;
  readonly ranges?: readonly Range[];
};

/** Whether a term compares a number, such as `cost>1`. */
export const isComparison = ({ operator }: Term): boolean => operator !== ':';

/** Whether a term asks for any value: `user:*`. */
export const isAny = ({ operator, values: [value, ...more] }: Term): boolean =>
  operator === ':' && more.length === 0 && value?.text === '*' && !value.isQuoted;

/** What the values of a term on texts ask for: a `*` outside of quotes makes a pattern. */
export function patternsOf(given: readonly TermValue[]): Pick<ValueTest, 'values' | 'globs'> {
  const isGlob = ({ text, isQuoted }: TermValue): boolean => !isQuoted && text.includes('*');
  const globs = given.filter(isGlob).map(({ text }) => text.toLowerCase());
  const values = given.filter((value) => !isGlob(value)).map(({ text }) => text);
  return { ...(values.length === 0 ? {} : { values }), ...(globs.length === 0 ? {} : { globs }) };
}

/** The one of some choices that a text names. @throws FilterSyntaxError */
export function choiceOf(field: string, choices: readonly string[], text: string): string {
  const found = choices.find((choice) => choice === text.toLowerCase().replaceAll('-', '_'));
  if (found === undefined)
    throw new FilterSyntaxError(`${field} is one of ${choices.join(', ')}, not "${text}"`);
  return found;
}

const BOUNDS = { '>': 'over', '>=': 'min', '<': 'under', '<=': 'max' } as const;

/**
 * The ranges of a term on a number.
 * @param numberOf reads one number, and throws for what is none
 * @throws FilterSyntaxError
 */
export function rangesOf(
  field: string,
  { operator, values }: Term,
  numberOf: (text: string) => number,
): Range[] {
  if (operator !== ':') {
    if (values.length > 1) throw new FilterSyntaxError(`${field}${operator} takes one number`);
    return [{ [BOUNDS[operator]]: numberOf(values[0]?.text ?? '') }];
  }
  return values.map(({ text }) => {
    const [from = '', to, ...rest] = text.split('..');
    const min = numberOf(from);
    const max = to === undefined ? min : numberOf(to);
    if (rest.length > 0 || min > max)
      throw new FilterSyntaxError(`${field}: "${text}" is no range; the smaller number comes first`);
    return { min, max };
  });
}

/** What a word or a quoted text looks for. @throws FilterSyntaxError for a word that only looks like the language */
export function textOf({ values: [value] }: Term): { readonly contains: string } {
  const { text = '', isQuoted = false } = value ?? {};
  if (!isQuoted && ['AND', 'OR', 'NOT'].includes(text))
    throw new FilterSyntaxError(
      `${text} is not a part of the language: all parts must hold, field:a,b is one of several values, and "-" before a part excludes it; a text is written in quotes`,
    );
  return { contains: text.toLowerCase() };
}

/** Whether a text is what a test asks for; null is no text. */
export function textTest({ values, globs, contains }: ValueTest): (text: string | null) => boolean {
  if (contains !== undefined) return (text) => text?.toLowerCase().includes(contains) ?? false;
  if (values === undefined && globs === undefined) return (text) => text !== null && text !== '';
  const wanted = new Set(values);
  const matchers = (globs ?? []).map(compileGlob);
  return (text) => {
    if (text === null || text === '') return false;
    if (wanted.has(text)) return true;
    if (matchers.length === 0) return false;
    const lower = text.toLowerCase();
    return matchers.some((matches) => matches(lower));
  };
}

/** Whether a number is what a test asks for; null is none. */
export function numberTest({ ranges }: ValueTest): (value: number | null) => boolean {
  if (ranges === undefined) return (value) => value !== null;
  return (value) =>
    value !== null &&
    ranges.some(
      ({ min = -Infinity, over = -Infinity, max = Infinity, under = Infinity }) =>
        value >= min && value > over && value <= max && value < under,
    );
}
