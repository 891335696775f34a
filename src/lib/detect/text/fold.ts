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

/**
 * The plain forms of UTF-16 units that have one of a single unit, made as they are met: most texts need nothing else.
 * `UNKNOWN` is not looked up yet, and `OTHERWISE` has no unit of its own. No plain form is one of these.
 */
const UNKNOWN = 0;
const OTHERWISE = 1;
let units: Uint16Array | undefined;

function plainUnit(table: Uint16Array, code: number): number {
  const isHalf = code >= 0xd800 && code <= 0xdfff;
  const folded = isHalf ? '' : foldCharacter(String.fromCharCode(code));
  const unit = folded.length === 1 ? folded.charCodeAt(0) : OTHERWISE;
  table[code] = unit;
  return unit;
}

/** The view of a text without tricks of Unicode: zero width, full width, homoglyphs, accents, digits of other scripts. */
export function foldText(text: string): View {
  if (!OTHER.test(text)) return plainView(text);
  units ??= new Uint16Array(65_536);
  const table = units;
  // There is always room for the rest of the text as it is.
  let out = new Uint16Array(text.length);
  // As long as each unit has become one, places are the same.
  let map: Int32Array<ArrayBuffer> | null = null;
  let length = 0;
  let seen = 0;
  for (let place = 0; place < text.length; ) {
    const code = text.charCodeAt(place);
    const known = code < 128 ? code : (table[code] as number);
    const unit = known === UNKNOWN && code >= 128 ? plainUnit(table, code) : known;
    if (unit !== OTHERWISE || code < 128) {
      out[length] = unit;
      seen |= unit;
      if (map !== null) map[length] = place;
      length++;
      place++;
      continue;
    }
    map ??= identity(out.length);
    const character = String.fromCodePoint(text.codePointAt(place) ?? 0);
    const plain = foldCharacter(character);
    const missing = length + plain.length + text.length - place - out.length;
    if (missing > 0) {
      out = larger(out, new Uint16Array(out.length + missing + 256));
      map = larger(map, new Int32Array(out.length));
    }
    for (let i = 0; i < plain.length; i++) {
      seen |= plain.charCodeAt(i);
      out[length] = plain.charCodeAt(i);
      map[length++] = place;
    }
    place += character.length;
  }
  const at = map === null ? samePlace : placeIn(text, map.subarray(0, length));
  return { text: textOf(out, length, seen < 128), at };
}

const samePlace: View['at'] = (start, end) => ({ start, end });

/** Places of a view by a map of its units. */
const placeIn =
  (text: string, map: Int32Array): View['at'] =>
  (start, end) => {
    const from = map[start] ?? text.length;
    const last = map[Math.max(start, end - 1)] ?? from;
    return { start: from, end: Math.min(text.length, last + widthAt(text, last)) };
  };

const widthAt = (text: string, place: number): number => ((text.codePointAt(place) ?? 0) > 0xffff ? 2 : 1);

function identity(size: number): Int32Array<ArrayBuffer> {
  const map = new Int32Array(size);
  for (let i = 0; i < size; i++) map[i] = i;
  return map;
}

function larger<A extends Uint16Array | Int32Array>(from: A, to: A): A {
  to.set(from);
  return to;
}

/** Units that a call takes as arguments. */
const PIECE = 8_192;

const decoder = new TextDecoder();

function textOf(units: Uint16Array, length: number, isAscii: boolean): string {
  if (isAscii) return decoder.decode(new Uint8Array(units.subarray(0, length)));
  let text = '';
  for (let from = 0; from < length; from += PIECE) {
    const piece = units.subarray(from, Math.min(length, from + PIECE));
    // It takes anything like an array; the type asks for an array.
    text += String.fromCharCode.apply(null, piece as unknown as number[]);
  }
  return text;
}
