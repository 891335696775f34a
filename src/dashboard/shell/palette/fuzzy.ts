/** What a match of a whole word, its start or a part of it is worth. */
const EXACT = 1_000;
const START = 500;
const WORD = 300;
const PART = 200;

/**
 * How well a text matches what was typed: 0 for not at all, more for a better match. All words that were typed must be
 * found, in any order; a word that is in no text of a piece may also be found by its letters in order, such as `apk` in
 * `API keys`.
 */
export function fuzzyScore(typed: string, text: string): number {
  const wanted = typed.trim().toLowerCase().split(/\s+/).filter(Boolean);
  const given = text.toLowerCase();
  if (wanted.length === 0) return 1;
  if (given === wanted.join(' ')) return EXACT;
  let total = 0;
  for (const word of wanted) {
    const score = scoreOf(word, given);
    if (score === 0) return 0;
    total += score;
  }
  // Of equal matches the shorter text is the closer one.
  return total / wanted.length - Math.min(50, given.length) / 100;
}

function scoreOf(word: string, text: string): number {
  const at = text.indexOf(word);
  if (at === 0) return START;
  if (at > 0) return /[\s\-_/.:]/.test(text[at - 1] ?? '') ? WORD : PART;
  // Two letters are in order in nearly every text.
  return word.length < 3 ? 0 : inOrder(word, text);
}

/** Up to 100 if all letters are there in order: the closer together, the more. */
function inOrder(word: string, text: string): number {
  let [first, last] = [-1, -1];
  for (const letter of word) {
    last = text.indexOf(letter, last + 1);
    if (last === -1) return 0;
    if (first === -1) first = last;
  }
  const gaps = last - first + 1 - word.length;
  return gaps > 2 * word.length ? 0 : 100 - (50 * gaps) / (2 * word.length);
}
