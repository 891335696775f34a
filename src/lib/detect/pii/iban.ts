import isIBAN from 'validator/es/lib/isIBAN.js';
import { type Detector, MAX_MATCHES, type Match } from '../match.ts';
import { classOf, DIGIT, LETTER } from '../text/characters.ts';

/** Country and check digits. */
const START = /(?<![A-Za-z0-9])[A-Z]{2}\d{2}/gi;
const HEAD = 4;
/** Lengths of IBANs, and the most pieces of up to four characters that one is written in. */
const MIN_LENGTH = 15;
const MAX_LENGTH = 34;
const MAX_GROUPS = 9;

/** IBANs: the length and form of the country, and the checksum (ISO 13616, mod 97). */
export const iban: Detector = {
  type: 'iban',
  scan(text) {
    const matches: Match[] = [];
    START.lastIndex = 0;
    while (matches.length < MAX_MATCHES && START.test(text)) {
      const match = matchFrom(text, START.lastIndex - HEAD);
      if (match !== null) matches.push(match);
    }
    return matches;
  },
};

/**
 * Words after an IBAN may look like a group of it, so each end of a word may be its end; the longest that is valid counts.
 */
function matchFrom(text: string, start: number): Match | null {
  let end = -1;
  let groups = 0;
  let length = HEAD;
  // The number of the letters and digits after the head, modulo 97, and which of them are letters.
  let rest = 0;
  let letters = 0;
  let place = start + HEAD;
  while (place < text.length) {
    const from = isSeparator(text.charCodeAt(place)) ? place + 1 : place;
    let at = from;
    for (; at < text.length && at - from <= MAX_LENGTH; at++) {
      const code = text.charCodeAt(at);
      const kind = classOf(code);
      if ((kind & (DIGIT | LETTER)) === 0) break;
      letters = letters * 2 + (kind & LETTER ? 1 : 0);
      rest = withUnit(rest, code);
    }
    groups += Math.ceil((at - from) / 4);
    length += at - from;
    if (at === from || groups > MAX_GROUPS || length > MAX_LENGTH) break;
    place = at;
    // The checksum costs less than the form of the country, and one text in 97 passes it.
    if (length < MIN_LENGTH || withHead(rest, text, start) !== 1) continue;
    if (hasForm(text, start, place, length, letters)) end = place;
  }
  return end === -1 ? null : { type: 'iban', start, end, confidence: 0.99 };
}

const isSeparator = (code: number): boolean => code === 32 || code === 45;

/** The remainder with one more character: letters count as 10 to 35. */
function withUnit(rest: number, code: number): number {
  if (code <= 57) return (rest * 10 + code - 48) % 97;
  return (rest * 100 + (code & ~32) - 55) % 97;
}

/** The remainder of a whole number, whose country and check digits stand last for it. */
function withHead(rest: number, text: string, start: number): number {
  let all = rest;
  for (let i = 0; i < HEAD; i++) all = withUnit(all, text.charCodeAt(start + i));
  return all;
}

/**
 * Which forms are those of their country: by country, length, and which characters are letters. The form depends on
 * nothing else, and nothing else of a text is kept.
 */
const forms = new Map<number, boolean>();
const MAX_FORMS = 2_000;

/** Whether a text that passes the checksum has the form of its country. */
function hasForm(text: string, start: number, end: number, length: number, letters: number): boolean {
  const country = (text.charCodeAt(start) & 31) * 32 + (text.charCodeAt(start + 1) & 31);
  // Up to 30 bits of letters, 6 of the length and 10 of the country are exact in a number.
  const key = (country * 64 + length) * 2 ** 30 + letters;
  const known = forms.get(key);
  if (known !== undefined) return known;
  const isRight = isIBAN(text.slice(start, end).replace(/[ -]/g, '').toUpperCase());
  if (forms.size < MAX_FORMS) forms.set(key, isRight);
  return isRight;
}
