import type { ScoreDefinition } from '../../scores/contract.ts';

export type Value = number | boolean | string;
/** A value of a score, and the keys that choose it. */
export type Choice = { readonly value: Value; readonly label: string; readonly keys: readonly string[] };

/** Longest list of numbers that are buttons. */
const MOST_NUMBERS = 10;

/**
 * The values of a score that a key can choose: yes and no, words, and small whole numbers; none for other scores. A digit
 * is the number itself, or the place of a word; a letter is the first of one word only.
 */
export function choicesOf({ type, min, max, categories }: ScoreDefinition): Choice[] {
  if (type === 'boolean')
    return [
      { value: true, label: 'Yes', keys: ['1', 'y'] },
      { value: false, label: 'No', keys: ['2', 'n'] },
    ];
  if (type === 'category') return (categories ?? []).map((word, place, all) => wordChoice(word, place, all));
  if (min === null || max === null || !Number.isInteger(min) || max - min >= MOST_NUMBERS) return [];
  return Array.from({ length: Math.floor(max - min) + 1 }, (_, i) => {
    const value = min + i;
    return { value, label: String(value), keys: value >= 0 && value <= 9 ? [String(value)] : [] };
  });
}

/** Letters with another meaning on the page. */
const TAKEN = new Set(['s', 'c']);

function wordChoice(word: string, place: number, all: readonly string[]): Choice {
  const letter = word.charAt(0).toLowerCase();
  const isOwn = /^\p{L}$/u.test(letter) && !TAKEN.has(letter);
  const isOnly = all.filter((other) => other.charAt(0).toLowerCase() === letter).length === 1;
  const keys = [...(place < 9 ? [String(place + 1)] : []), ...(isOwn && isOnly ? [letter] : [])];
  return { value: word, label: word, keys };
}
