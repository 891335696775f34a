import isIBAN from 'validator/es/lib/isIBAN.js';
import { type Detector, type Match, matchesOf } from '../match.ts';

const CANDIDATE = /(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]{1,4}){3,9}(?![A-Za-z0-9])/gi;

/** IBANs: the length and form of the country, and the checksum (ISO 13616, mod 97). */
export const iban: Detector = {
  type: 'iban',
  scan: (text) => matchesOf(text, CANDIDATE, toMatch),
};

/** Words after an IBAN may look like a group of it, so that shorter pieces are tried as well. */
function toMatch({ 0: all, index }: RegExpExecArray): Match | null {
  for (let piece = all; piece.length >= 15; piece = piece.replace(/[ -]?[A-Za-z0-9]+$/, '')) {
    if (isIBAN(piece.toUpperCase().replace(/[ -]/g, '')))
      return { type: 'iban', start: index, end: index + piece.length, confidence: 0.99 };
    if (!/[ -]/.test(piece)) return null;
  }
  return null;
}
