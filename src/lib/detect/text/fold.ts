import { CONFUSABLES } from './confusables.ts';

/** A text as detectors read it, and how its places map to the text that was given. */
export type View = {
  readonly text: string;
  /** The place in the given text that a match of the view covers. */
  at(start: number, end: number): { readonly start: number; readonly end: number };
};

/** Characters that show nothing: soft hyphen, zero width, direction marks, variation selectors, tags, fillers. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;
const MARK = /\p{Mn}/u;
const DIGIT = /\p{Nd}/u;

/** Any character that is not ASCII. A text without one is its own view. */
const OTHER = /[^\0-\x7f]/;
const OTHERS = /[^\0-\x7f]+/g;

const memo = new Map<string, string>();
const MAX_MEMO = 5_000;

/** The plain form of a character: compatibility forms and homoglyphs as ASCII, marks and invisible characters as nothing. */
function foldCharacter(character: string): string {
  const known = memo.get(character);
  if (known !== undefined) return known;
  const folded = plainOf(character);
  // The memory of the process must not grow with what is sent.
  if (memo.size < MAX_MEMO) memo.set(character, folded);
  return folded;
}

function plainOf(character: string): string {
  if (INVISIBLE.test(character)) return '';
  if (DIGIT.test(character)) return digitOf(character.codePointAt(0) ?? 0);
  let plain = '';
  for (const part of character.normalize('NFKD')) {
    if (MARK.test(part) && part < '\u0370') continue;
    plain += CONFUSABLES.get(part) ?? part;
  }
  return plain;
}

/** The value of a decimal digit of any script: digits stand in rows of ten, and the row's zero is a digit too. */
function digitOf(code: number): string {
  let zero = code;
  while (code - zero < 9 && DIGIT.test(String.fromCodePoint(zero - 1))) zero--;
  const normal = String.fromCodePoint(code).normalize('NFKC');
  return normal >= '0' && normal <= '9' ? normal : String((code - zero) % 10);
}

/** A text whose places are those of the given text. */
export const plainView = (text: string): View => ({ text, at: (start, end) => ({ start, end }) });

/** The view of a text without tricks of Unicode: zero width, full width, homoglyphs, accents, digits of other scripts. */
export function foldText(text: string): View {
  if (!OTHER.test(text)) return plainView(text);
  const pieces: string[] = [];
  let length = 0;
  let map = new Int32Array(text.length + 32);
  const take = (piece: string, place: number, step: number): void => {
    if (length + piece.length >= map.length) map = grown(map, piece.length);
    for (let i = 0; i < piece.length; i++) map[length + i] = place + i * step;
    length += piece.length;
    pieces.push(piece);
  };
  let last = 0;
  OTHERS.lastIndex = 0;
  for (let found = OTHERS.exec(text); found !== null; found = OTHERS.exec(text)) {
    if (found.index > last) take(text.slice(last, found.index), last, 1);
    let place = found.index;
    for (const character of found[0]) {
      take(foldCharacter(character), place, 0);
      place += character.length;
    }
    last = place;
  }
  if (last < text.length) take(text.slice(last), last, 1);
  return {
    text: pieces.join(''),
    at: (start, end) => {
      const from = map[start] ?? text.length;
      const last = map[Math.max(start, end - 1)] ?? from;
      return { start: from, end: Math.min(text.length, last + widthAt(text, last)) };
    },
  };
}

const widthAt = (text: string, place: number): number => ((text.codePointAt(place) ?? 0) > 0xffff ? 2 : 1);

function grown(map: Int32Array<ArrayBuffer>, more: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(map.length * 2 + more + 32);
  larger.set(map);
  return larger;
}
