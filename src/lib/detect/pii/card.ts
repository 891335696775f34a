import { type Detector, matchAt, matchesOf } from '../match.ts';
import { foldPattern } from '../text/fold-pattern.ts';
import { digitsOf, isTrivial, passesLuhn } from './checksums.ts';

/** Ranges of issuers: Visa, Mastercard, Amex, Discover, Diners, JCB, UnionPay, Maestro. */
const ISSUERS: readonly (readonly [prefix: RegExp, lengths: readonly number[]])[] = [
  [/^4/, [13, 16, 19]],
  [/^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, [16]],
  [/^3[47]/, [15]],
  [/^(6011|65|64[4-9])/, [16, 19]],
  [/^3(0[0-5]|09|[68]|9)/, [14, 16]],
  [/^35(2[89]|[3-8])/, [16, 17, 18, 19]],
  [/^62/, [16, 17, 18, 19]],
  [/^(50|5[6-8]|6[37])/, [16, 18, 19]],
];

/** Digits in groups of four, in the groups of a card of 14 or 15 digits, or without groups. */
const CANDIDATE =
  /(?<![\w.,$€£#+-]|\d[ -])(?:\d{4}([ -])\d{4}\1\d{4}\1\d{1,7}|\d{4}([ -])\d{6}\2\d{4,5}|\d{13,19})(?![\w-]|[.,]\d|[ ]\d)/g;

/** What stands before other numbers that may pass the checksum. */
const OTHER_NUMBER = foldPattern(
  /(?:order|invoice|tracking|shipment|parcel|ticket|case|ref(?:erence)?|serial|imei|isbn|ean|gtin|sku|barcode|timestamp|epoch|trace|span|request|build|transaction|meter|\bid|\buuid|bestell\w*|rechnung\w*|sendung\w*|commande|facture|pedido|factura|ordine|fattura|numéro de suivi|zamówieni\w*)[\s.:=#_"'-]{0,6}(?:n(?:o|r|um(?:ber|mer|éro)?|úmero)?|id|code|at|ms)?[\s.:=#°"'-]{0,6}(?:is|was|lautet|ist|est|es)?[\s.:=#"'-]{0,4}$/i,
);
const CARD_WORD = foldPattern(
  /card|visa|mastercard|amex|american express|maestro|discover|credit|debit|kart|carte|tarjeta|carta|cartão|pan\b|cvv|cvc|карт/i,
);

/** Payment cards: known issuer, fitting length, Luhn. Numbers that are named as something else are left out. */
export const card: Detector = {
  type: 'card',
  scan: (text) =>
    matchesOf(text, CANDIDATE, (found) => {
      // One number in ten passes the checksum, which costs least.
      if (!passesLuhn(found[0])) return null;
      const digits = digitsOf(found[0]);
      if (!isOfIssuer(digits) || isTrivial(digits)) return null;
      const before = text.slice(Math.max(0, found.index - 40), found.index);
      const isNamed = CARD_WORD.test(text.slice(Math.max(0, found.index - 60), found.index + 80));
      if (!isNamed && OTHER_NUMBER.test(before)) return null;
      const isGrouped = found[0].length > digits.length;
      // Without groups and without a word that says so, one number in ten passes Luhn by chance.
      return matchAt(found, 'card', isNamed ? 0.99 : isGrouped ? 0.95 : digits.length === 16 ? 0.8 : 0.6);
    }),
};

const isOfIssuer = (digits: string): boolean =>
  ISSUERS.some(([prefix, lengths]) => prefix.test(digits) && lengths.includes(digits.length));
