import { foldText, type View } from './fold.ts';

/**
 * The views of a text, which is `given`. `folded` is the text without tricks of Unicode. `joined` are without line breaks
 * inside of words, for values that are split over lines: without every second one, since a value ends where a word
 * ends, and without any. `hidden` are texts inside the text: Base64, percent
 * encoding, and tag characters, which show nothing; their places are those of the whole encoded piece.
 */
export type Views = {
  readonly given: string;
  readonly folded: View;
  readonly joined: readonly View[];
  readonly hidden: readonly View[];
};

/** Most encoded pieces of a text that are decoded, and the most characters of all. */
const MAX_PIECES = 50;
const MAX_DECODED = 65_536;
const MAX_TRIES = 500;

/** Reads a text in all ways in which it may hide something. */
export function viewsOf(text: string): Views {
  const folded = foldText(text);
  return { given: text, folded, joined: joinedLines(folded), hidden: hiddenTexts(text, folded) };
}

const BREAK = /(?<=[\w+/=-])[ \t]{0,8}\\?\r?\n[ \t>|#*"']{0,8}(?=[\w+/=-])/g;

type Break = { readonly start: number; readonly end: number };

/** The text with breaks inside of words taken out, up to 10,000 of them. */
function joinedLines(view: View): View[] {
  if (!view.text.includes('\n')) return [];
  const breaks: Break[] = [];
  for (const { 0: all, index } of view.text.matchAll(BREAK)) {
    breaks.push({ start: index, end: index + all.length });
    if (breaks.length >= 10_000) break;
  }
  const ways = [breaks.filter((_, i) => i % 2 === 0), breaks.filter((_, i) => i % 2 === 1)];
  if (breaks.length > 1) ways.push(breaks);
  return ways.filter((some) => some.length > 0).map((some) => without(view, some));
}

function without({ text, at }: View, breaks: readonly Break[]): View {
  const pieces: { readonly from: number; readonly start: number }[] = [];
  const joined: string[] = [];
  let [last, length] = [0, 0];
  const take = (from: number, to: number): void => {
    pieces.push({ from, start: length });
    joined.push(text.slice(from, to));
    length += to - from;
  };
  for (const { start, end } of breaks) {
    take(last, start);
    last = end;
  }
  take(last, text.length);
  const placeOf = (place: number): number => {
    let [low, high] = [0, pieces.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((pieces[middle]?.start ?? 0) <= place) low = middle;
      else high = middle - 1;
    }
    const piece = pieces[low];
    return piece === undefined ? place : piece.from + place - piece.start;
  };
  return {
    text: joined.join(''),
    at: (start, end) => at(placeOf(start), placeOf(Math.max(start, end - 1)) + 1),
  };
}

const BASE64 = /[A-Za-z0-9+/_-]{20,60000}={0,2}/g;
const PERCENT = /(?:%[0-9A-Fa-f]{2}[\w.~+-]{0,64}){2,500}/g;
/** What may stand before the first escape of an encoded value. */
const BEFORE = /[\w.~+-]{0,64}$/;
const TAGS = /(?:\u{e0001}?[\u{e0020}-\u{e007e}]){3,5000}/gu;

function hiddenTexts(text: string, { text: folded, at }: View): View[] {
  const found: View[] = [];
  let left = MAX_DECODED;
  const take = (piece: string | null, place: { start: number; end: number }): void => {
    if (piece === null || piece.length > left) return;
    left -= piece.length;
    found.push({ text: foldText(piece).text, at: () => place });
  };
  if (text.includes('\u{db40}')) {
    for (const { 0: tags, index } of text.matchAll(TAGS)) {
      take(fromTags(tags), { start: index, end: index + tags.length });
    }
  }
  let tries = 0;
  const decodeAll = (pattern: RegExp, decode: (piece: string) => string | null, lead?: RegExp): void => {
    for (const { 0: piece, index } of folded.matchAll(pattern)) {
      if (found.length >= MAX_PIECES || tries++ > MAX_TRIES) return;
      const before = lead?.exec(folded.slice(Math.max(0, index - 64), index))?.[0] ?? '';
      take(decode(before + piece), at(index - before.length, index + piece.length));
    }
  };
  decodeAll(BASE64, fromBase64);
  if (folded.includes('%')) decodeAll(PERCENT, fromPercent, BEFORE);
  return found;
}

const fromTags = (tags: string): string =>
  [...tags].map((tag) => String.fromCharCode(((tag.codePointAt(0) ?? 0) - 0xe0000) & 0x7f)).join('');

const WORD = /^[A-Za-z]+$/;
const decoder = new TextDecoder('utf-8', { fatal: true });

/** The text of a piece of Base64, if it is text: a key or a hash decodes to bytes that are none. */
function fromBase64(piece: string): string | null {
  if (WORD.test(piece) && piece.length < 40) return null;
  try {
    const bytes = Uint8Array.from(
      atob(piece.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '')),
      (one) => one.charCodeAt(0),
    );
    const text = decoder.decode(bytes);
    return isReadable(text) ? text : null;
  } catch {
    return null;
  }
}

function fromPercent(piece: string): string | null {
  try {
    const text = decodeURIComponent(piece);
    return isReadable(text) ? text : null;
  } catch {
    return null;
  }
}

/** Whether a text has no control characters but breaks and tabs. */
const isReadable = (text: string): boolean => !/[^\P{Cc}\n\r\t]/u.test(text);
