import { BLANK, classOf, QUOTING, VALUE } from './characters.ts';
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

type Break = { readonly start: number; readonly end: number };

const MAX_BREAKS = 10_000;
/** Most blanks before a break and most signs of quoting after it. */
const MAX_AROUND = 8;

/** Line breaks inside of words, with what quoting and continuing a line puts around them. */
function breaksIn(text: string): Break[] {
  const breaks: Break[] = [];
  for (
    let at = text.indexOf('\n');
    at !== -1 && breaks.length < MAX_BREAKS;
    at = text.indexOf('\n', at + 1)
  ) {
    let start = at;
    if (start > 0 && text.charCodeAt(start - 1) === RETURN) start--;
    if (start > 0 && text.charCodeAt(start - 1) === BACKSLASH) start--;
    const first = Math.max(0, start - MAX_AROUND);
    while (start > first && hasClass(text, start - 1, BLANK)) start--;
    if (start === 0 || !hasClass(text, start - 1, VALUE)) continue;
    const last = Math.min(text.length, at + 1 + MAX_AROUND);
    let end = at + 1;
    while (end < last && hasClass(text, end, QUOTING)) end++;
    if (end < text.length && hasClass(text, end, VALUE)) breaks.push({ start, end });
  }
  return breaks;
}

const [RETURN, BACKSLASH] = [13, 92];

const hasClass = (text: string, at: number, bits: number): boolean =>
  (classOf(text.charCodeAt(at)) & bits) !== 0;

/**
 * The text with breaks inside of words taken out. Lines of one word, or as short, make chains of breaks, where a
 * value may end at any: these are also read without their other breaks, and without any.
 */
function joinedLines(view: View): View[] {
  if (!view.text.includes('\n')) return [];
  const breaks = breaksIn(view.text);
  if (breaks.length === 0) return [];
  const chains = chainsOf(view.text, breaks);
  const long = chains.filter(({ length }) => length > 1);
  const every = (chain: readonly Break[], rest: number): Break[] => chain.filter((_, i) => i % 2 === rest);
  const views = [
    without(
      view,
      chains.flatMap((chain) => every(chain, 0)),
    ),
  ];
  if (long.length > 0) {
    views.push(
      without(
        view,
        between(view.text, long, (chain) => every(chain, 1)),
      ),
    );
    views.push(
      without(
        view,
        between(view.text, long, (chain) => chain),
      ),
    );
  }
  return views;
}

/** Breaks with nothing but one word or some groups of digits between each other. */
function chainsOf(text: string, breaks: readonly Break[]): Break[][] {
  const chains: Break[][] = [];
  let last: Break | undefined;
  for (const one of breaks) {
    const chain = chains.at(-1);
    const isNear = last !== undefined && isOneValue(text, last.end, one.start);
    if (chain !== undefined && isNear) chain.push(one);
    else chains.push([one]);
    last = one;
  }
  return chains;
}

const SPACE = /\s/;
const MAX_GROUPED = 24;

const isOneValue = (text: string, start: number, end: number): boolean =>
  end - start <= MAX_GROUPED || !SPACE.test(text.slice(start, end));

/** Breaks of chains, and all that is not in the lines of a chain or in the line before, whose words may tell what it is. */
function between(text: string, chains: readonly Break[][], pick: (chain: Break[]) => Break[]): Break[] {
  const cuts: Break[] = [];
  // The end of the last line that stays; the next chain may begin with it.
  let last = -1;
  const cut = (end: number): void => {
    if (end > last + 1) cuts.push({ start: last + 1, end });
  };
  for (const chain of chains) {
    const [first, final] = [chain[0], chain.at(-1)];
    if (first === undefined || final === undefined) continue;
    const lineStart = text.lastIndexOf('\n', first.start - 1);
    cut(Math.max(last, text.lastIndexOf('\n', lineStart - 1) + 1));
    cuts.push(...pick(chain));
    const lineEnd = text.indexOf('\n', final.end);
    last = lineEnd === -1 ? text.length : lineEnd;
  }
  cut(text.length);
  return cuts;
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
  const isFull = (): boolean => found.length >= MAX_PIECES || tries++ > MAX_TRIES;
  for (const { 0: piece, index } of folded.matchAll(BASE64)) {
    if (isFull()) break;
    take(fromBase64(piece), at(index, index + piece.length));
  }
  if (!folded.includes('%')) return found;
  for (const { 0: piece, index } of folded.matchAll(PERCENT)) {
    if (isFull()) break;
    const before = BEFORE.exec(folded.slice(Math.max(0, index - 64), index))?.[0] ?? '';
    take(fromPercent(before + piece), at(index - before.length, index + piece.length));
  }
  return found;
}

const fromTags = (tags: string): string =>
  [...tags].map((tag) => String.fromCharCode(((tag.codePointAt(0) ?? 0) - 0xe0000) & 0x7f)).join('');

const WORD = /^[A-Za-z]+$/;
const decoder = new TextDecoder('utf-8', { fatal: true });

/** The text of a piece of Base64, if it is text: a key or a hash decodes to bytes that are none. */
function fromBase64(piece: string): string | null {
  if (WORD.test(piece) && piece.length < 40) return null;
  if (!looksReadable(piece)) return null;
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

/** The value of each character of Base64. */
const SIX_BITS = new Uint8Array(128);
for (const [value, character] of [
  ...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
].entries())
  SIX_BITS[character.charCodeAt(0)] = value;
SIX_BITS['-'.charCodeAt(0)] = 62;
SIX_BITS['_'.charCodeAt(0)] = 63;

/** Whether bytes of Base64 may be text, as far as their first bits tell: keys and hashes fail within some bytes. */
function looksReadable(piece: string): boolean {
  let [bits, count, following] = [0, 0, 0];
  for (let i = 0; i < piece.length; i++) {
    const code = piece.charCodeAt(i);
    if (code === 61) return true;
    bits = ((bits << 6) | (SIX_BITS[code] ?? 0)) & 0xffff;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    const byte = (bits >> count) & 0xff;
    const isContinued = byte >= 0x80 && byte < 0xc0;
    if (isContinued !== following > 0) return false;
    if (isContinued) following--;
    else if (byte >= 0xf8 || byte === 0x7f || (byte < 0x20 && byte !== 9 && byte !== 10 && byte !== 13))
      return false;
    else following = byte < 0x80 ? 0 : byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3;
  }
  return following === 0;
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
