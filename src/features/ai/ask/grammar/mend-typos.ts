import type { Reading } from '../question.ts';
import { EMPTY, isVocabulary, MEANINGFUL } from './words.ts';

/** Shorter words have too many neighbours. */
const LEAST_LENGTH = 5;

/**
 * A question with the words that were not understood replaced by the one word of the grammar that is a single edit away:
 * a letter too many, one too few, another one, or two swapped; names of environments and providers count too. Null if one of them has no such word, or several.
 */
export function mendTypos(
  question: string,
  unknown: readonly string[],
  { names }: Pick<Reading, 'names'>,
): string | null {
  const own = names.flatMap(({ dimension, value }) =>
    dimension === 'environment' || dimension === 'provider' ? [value.toLowerCase()] : [],
  );
  let mended = question;
  const misspelt = unknown.filter((word) => !isVocabulary(word));
  if (misspelt.length === 0) return null;
  for (const word of misspelt) {
    const [near, another] = neighboursOf(word, own);
    if (near === undefined || another !== undefined) return null;
    const at = mended.toLowerCase().indexOf(word);
    if (at < 0) return null;
    mended = mended.slice(0, at) + near + mended.slice(at + word.length);
  }
  return mended;
}

function neighboursOf(word: string, own: readonly string[]): string[] {
  // A known word that has no meaning in its place is no typing error.
  if (word.length < LEAST_LENGTH || !/^[a-z]+$/.test(word) || isVocabulary(word)) return [];
  const near = [...MEANINGFUL, ...EMPTY, ...own].filter(
    (one) =>
      one.length >= LEAST_LENGTH - 1 &&
      one[0] === word[0] &&
      !(one.endsWith('day') && word === `${one}s` && one !== 'yesterday') &&
      isOneEdit(word, one),
  );
  // "Erors" is as close to "error" as to "errors" by no more than its ending.
  return [...new Set(near)].length > 1 ? near.filter((one) => one.at(-1) === word.at(-1)) : near;
}

function isOneEdit(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const [left, right] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  if (left.length + right.length <= 2 && left.length <= 1 && right.length <= 1) return a !== b;
  return left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0];
}
