import isIBAN from 'validator/es/lib/isIBAN.js';
import { type Detector, type Match, matchesOf } from '../match.ts';

/** Country and check digits. */
const START = /(?<![A-Za-z0-9])[A-Z]{2}\d{2}/gi;
/** Lengths of IBANs, and the most pieces of up to four characters that one is written in. */
const MIN_LENGTH = 15;
const MAX_LENGTH = 34;
const MAX_GROUPS = 9;

/** IBANs: the length and form of the country, and the checksum (ISO 13616, mod 97). */
export const iban: Detector = {
  type: 'iban',
  scan: (text) => matchesOf(text, START, ({ index }) => matchFrom(text, index)),
};

/**
 * Words after an IBAN may look like a group of it, so each end of a word may be its end; the longest that is valid counts.
 */
function matchFrom(text: string, start: number): Match | null {
  let match: Match | null = null;
  let plain = text.slice(start, start + 4);
  let groups = 0;
  let place = start + 4;
  while (true) {
    const from = isSeparator(text.charCodeAt(place)) ? place + 1 : place;
    let end = from;
    while (isAlphanumeric(text.charCodeAt(end)) && end - from <= MAX_LENGTH) end++;
    groups += Math.ceil((end - from) / 4);
    plain += text.slice(from, end);
    if (end === from || groups > MAX_GROUPS || plain.length > MAX_LENGTH) return match;
    place = end;
    if (plain.length >= MIN_LENGTH && isRight(plain.toUpperCase()))
      match = { type: 'iban', start, end, confidence: 0.99 };
  }
}

/** The checksum costs less than the form of the country, and one text in 97 passes it. */
const isRight = (iban: string): boolean => checksum(iban) === 1 && isIBAN(iban);

function checksum(iban: string): number {
  let rest = 0;
  for (let i = 0; i < iban.length; i++) {
    const code = iban.charCodeAt((i + 4) % iban.length);
    rest = code > 57 ? (rest * 100 + code - 55) % 97 : (rest * 10 + code - 48) % 97;
  }
  return rest;
}

const isSeparator = (code: number): boolean => code === 32 || code === 45;

const isAlphanumeric = (code: number): boolean =>
  (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
