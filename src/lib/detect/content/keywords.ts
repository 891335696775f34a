import { MAX_MATCHES, type Match, withoutOverlaps } from '../match.ts';
import { foldText, type View } from '../text/fold.ts';
import type { Views } from '../text/views.ts';

/** A state of the automaton: where each character leads, the state to fall back to, and the words that end here. */
type State = {
  readonly next: Map<string, State>;
  fail: State | null;
  readonly ends: number[];
  word: State | null;
};

const newState = (): State => ({ next: new Map(), fail: null, ends: [], word: null });
const LETTER = /[\p{L}\p{N}_]/u;
/** Scripts that put no spaces between words. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;

/**
 * Finds words and phrases, whatever their case and however they are disguised. All are looked for in one pass over the
 * text (Aho and Corasick, 1975), so that many take no longer than one. A word counts only as a whole: `ass` is not in
 * `class`.
 */
export function createKeywordDetector(words: readonly string[]): (views: Views) => Match[] {
  const folded = words.map((word) => foldText(word).text.toLowerCase().trim()).filter((word) => word !== '');
  const root = automatonOf(folded);
  const isFirst = Uint8Array.from(LOWER, (lower) => Number(root.next.has(lower)));
  return ({ folded: view, hidden }) =>
    withoutOverlaps([view, ...hidden].flatMap(({ text, at }) => search({ text, at }, root, isFirst)));
}

function automatonOf(words: readonly string[]): State {
  const root = newState();
  for (const word of words) {
    let state = root;
    for (const character of word) {
      const known = state.next.get(character) ?? newState();
      state.next.set(character, known);
      state = known;
    }
    if (!state.ends.includes(word.length)) state.ends.push(word.length);
  }
  const queue = [...root.next.values()];
  for (const state of queue) state.fail = root;
  for (const state of queue) {
    for (const [character, next] of state.next) {
      let fail = state.fail;
      while (fail !== null && !fail.next.has(character)) fail = fail.fail;
      next.fail = fail?.next.get(character) ?? root;
      // The next state on the way back in which a word ends.
      next.word = next.fail.ends.length > 0 ? next.fail : next.fail.word;
      queue.push(next);
    }
  }
  return root;
}

/** The characters of ASCII in lower case. */
const LOWER = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code).toLowerCase());

/** @param isFirst which characters of ASCII begin a word: the others are passed over, as long as none has begun */
function search({ text, at }: View, root: State, isFirst: Uint8Array): Match[] {
  const matches: Match[] = [];
  let state = root;
  let place = 0;
  while (place < text.length) {
    const code = text.charCodeAt(place);
    if (state === root && code < 128 && isFirst[code] === 0) {
      place++;
      continue;
    }
    const character = code < 128 ? '' : String.fromCodePoint(text.codePointAt(place) ?? 0);
    const lower = code < 128 ? (LOWER[code] ?? '') : character.toLowerCase();
    place += code < 128 ? 1 : character.length;
    if (state === root && !root.next.has(lower)) continue;
    while (!state.next.has(lower) && state.fail !== null) state = state.fail;
    state = state.next.get(lower) ?? root;
    for (let end: State | null = state.ends.length > 0 ? state : state.word; end !== null; end = end.word) {
      for (const length of end.ends) {
        if (!isWhole(text, place - length, place)) continue;
        matches.push({ type: 'keyword', ...at(place - length, place), confidence: 1 });
        if (matches.length >= MAX_MATCHES) return matches;
      }
    }
  }
  return matches;
}

const isWhole = (text: string, start: number, end: number): boolean =>
  !joins(text, start - 1, start) && !joins(text, end - 1, end);

/** Whether the characters on both sides of a border belong to one word. */
function joins(text: string, left: number, right: number): boolean {
  const [before, after] = [text[left] ?? ' ', text[right] ?? ' '];
  return LETTER.test(before) && LETTER.test(after) && !UNSPACED.test(before) && !UNSPACED.test(after);
}
