import isIdentityCard from 'validator/es/lib/isIdentityCard.js';
import isTaxID from 'validator/es/lib/isTaxID.js';
import { digitsOf, passesLuhn, remainder, weighted } from './checksums.ts';

/**
 * A national id. `word`: what names it. Where the form alone is not enough, an id counts only if a word of it stands
 * nearby (`needsWord`); elsewhere the word makes it surer.
 */
export type NationalId = {
  readonly type: string;
  readonly form: Form;
  readonly isValid?: (text: string) => boolean;
  readonly word: RegExp;
  readonly needsWord?: true;
};

const tax =
  (locale: string) =>
  (text: string): boolean =>
    isTaxID(text, locale);
const card =
  (locale: Parameters<typeof isIdentityCard>[1]) =>
  (text: string): boolean =>
    isIdentityCard(text.replace(/[ .-]/g, ''), locale);
/**
 * What an id looks like, and the lengths of the run of digits, or of letters, that it begins with, up to the first other
 * character: the pattern is tried where such a run is.
 */
type Form = {
  readonly pattern: RegExp;
  readonly digits: readonly number[];
  readonly letters: readonly number[];
};
const end = '(?![\\w-]|[.,]\\d)';
const form = (digits: readonly number[], body: string, letters: readonly number[] = []): Form => ({
  pattern: new RegExp(`(?:${body})${end}`, 'iy'),
  digits,
  letters,
});

const isSsn = (text: string): boolean => {
  const [area = '', group, serial] = /^(\d{3})\D?(\d{2})\D?(\d{4})$/.exec(text)?.slice(1) ?? [];
  return (
    !/^(?:000|666|9)/.test(area) && group !== '00' && serial !== '0000' && digitsOf(text) !== '078051120'
  );
};
/** Sécurité sociale: 13 digits and the key 97 − (number mod 97); departments of Corsica are 2A and 2B. */
const isNir = (text: string): boolean => {
  const plain = text.replace(/[ .-]/g, '').toUpperCase();
  const digits = plain.replace('2A', '19').replace('2B', '18');
  return /^\d{15}$/.test(digits) && 97 - remainder(digits.slice(0, 13), 97) === Number(digits.slice(13));
};
const isNhs = (text: string): boolean => {
  const digits = digitsOf(text);
  const check = (11 - (weighted(digits, [10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11)) % 11;
  return check === Number(digits[9]);
};
const isBsn = (text: string): boolean => weighted(digitsOf(text), [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0;
const isRrn = (text: string): boolean => {
  const digits = digitsOf(text);
  const check = Number(digits.slice(9));
  return (
    97 - remainder(digits.slice(0, 9), 97) === check || 97 - remainder(`2${digits.slice(0, 9)}`, 97) === check
  );
};
/** The Swiss number has the check digit of EAN-13. */
const isAhv = (text: string): boolean => {
  const digits = digitsOf(text);
  return (10 - (weighted(digits, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3]) % 10)) % 10 === Number(digits[12]);
};
const isTfn = (text: string): boolean => weighted(digitsOf(text), [1, 4, 3, 7, 5, 8, 6, 9, 10]) % 11 === 0;
const isKoreanRrn = (text: string): boolean => {
  const digits = digitsOf(text);
  return (11 - (weighted(digits, [2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5]) % 11)) % 10 === Number(digits[12]);
};
const luhn = (text: string): boolean => passesLuhn(digitsOf(text));

/** The national ids, those of a type one after the other. */
export const NATIONAL_IDS: readonly NationalId[] = [
  { type: 'us_ssn', form: form([3], '\\d{3}-\\d{2}-\\d{4}'), isValid: isSsn, word: /ssn|social|security/i },
  {
    type: 'us_ssn',
    form: form([3, 9], '\\d{9}|\\d{3} \\d{2} \\d{4}'),
    isValid: isSsn,
    word: /ssn|social security/i,
    needsWord: true,
  },
  {
    type: 'uk_nino',
    form: form(
      [],
      '(?!BG|GB|NK|KN|TN|NT|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\\d{2} ?\\d{2} ?\\d{2} ?[A-D]',
      [2],
    ),
    word: /national insurance|nino|\bni\b/i,
  },
  {
    type: 'uk_nhs',
    form: form([3, 6, 10], '\\d{3}[ -]?\\d{3}[ -]?\\d{4}'),
    isValid: isNhs,
    word: /\bnhs\b|health/i,
    needsWord: true,
  },
  {
    type: 'de_tax_id',
    form: form([2, 5, 8, 11], '[1-9]\\d ?\\d{3} ?\\d{3} ?\\d{3}'),
    isValid: (text) => isTaxID(digitsOf(text), 'de-DE'),
    word: /steuer|id-?nr|tin\b|tax/i,
    needsWord: true,
  },
  {
    type: 'fr_nir',
    form: form(
      [1, 3, 5, 6, 7, 10, 13, 15],
      '[12][ .]?\\d{2}[ .]?(?:0[1-9]|1[0-2])[ .]?(?:\\d{2}|2[AB])[ .]?\\d{3}[ .]?\\d{3}[ .]?\\d{2}',
    ),
    isValid: isNir,
    word: /sécu|secu|nir\b|insee/i,
  },
  {
    type: 'es_dni',
    form: form([8], '\\d{8}-?[A-HJ-NP-TV-Z]|[XYZ]-?\\d{7}-?[A-HJ-NP-TV-Z]', [1]),
    isValid: card('ES'),
    word: /dni|nie\b|nif|identidad/i,
  },
  {
    type: 'it_codice_fiscale',
    form: form(
      [],
      '[A-Z]{6}[0-9LMNP-V]{2}[ABCDEHLMPRST][0-9LMNP-V]{2}[A-Z][0-9LMNP-V]{3}[A-Z]',
      [6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16],
    ),
    isValid: tax('it-IT'),
    word: /codice|fiscale|\bcf\b/i,
  },
  {
    type: 'nl_bsn',
    form: form([3, 4, 9], '\\d{9}|\\d{3}[. ]\\d{3}[. ]\\d{3}|\\d{4}[. ]\\d{2}[. ]\\d{3}'),
    isValid: isBsn,
    word: /bsn|burgerservice|sofi/i,
    needsWord: true,
  },
  {
    type: 'be_rrn',
    form: form([2], '\\d{2}\\.\\d{2}\\.\\d{2}-\\d{3}\\.\\d{2}'),
    isValid: isRrn,
    word: /rijksregister|national|nrn|insz/i,
  },
  { type: 'pl_pesel', form: form([11], '\\d{11}'), isValid: card('PL'), word: /pesel/i, needsWord: true },
  { type: 'br_cpf', form: form([3], '\\d{3}\\.\\d{3}\\.\\d{3}-\\d{2}'), isValid: tax('pt-BR'), word: /cpf/i },
  { type: 'br_cpf', form: form([11], '\\d{11}'), isValid: tax('pt-BR'), word: /cpf/i, needsWord: true },
  {
    type: 'in_aadhaar',
    form: form([4], '[2-9]\\d{3} \\d{4} \\d{4}'),
    isValid: card('IN'),
    word: /aadha?ar|uidai|आधार/i,
  },
  {
    type: 'in_aadhaar',
    form: form([12], '[2-9]\\d{11}'),
    isValid: card('IN'),
    word: /aadha?ar|uidai|आधार/i,
    needsWord: true,
  },
  {
    type: 'in_pan',
    form: form([], '[A-Z]{3}[ABCFGHLJPT][A-Z]\\d{4}[A-Z]', [5]),
    word: /\bpan\b|permanent account/i,
    needsWord: true,
  },
  {
    type: 'ca_sin',
    form: form([3, 6, 9], '[1-79]\\d{2}[ -]?\\d{3}[ -]?\\d{3}'),
    isValid: luhn,
    word: /\bsin\b|social insurance|\bnas\b/i,
    needsWord: true,
  },
  {
    type: 'au_tfn',
    form: form([3, 6, 9], '\\d{3} ?\\d{3} ?\\d{3}'),
    isValid: isTfn,
    word: /\btfn\b|tax file/i,
    needsWord: true,
  },
  {
    type: 'se_personnummer',
    form: form([6, 8], '(?:19|20)?\\d{6}[-+]\\d{4}'),
    isValid: tax('sv-SE'),
    word: /person|ssn/i,
  },
  {
    type: 'dk_cpr',
    form: form([6], '\\d{6}-\\d{4}'),
    isValid: tax('dk-DK'),
    word: /\bcpr\b/i,
    needsWord: true,
  },
  {
    type: 'fi_hetu',
    form: form([6], '\\d{6}[-+A]\\d{3}[0-9A-Y]'),
    isValid: tax('fi-FI'),
    word: /hetu|henkilö/i,
    needsWord: true,
  },
  {
    type: 'no_fnr',
    form: form([6, 11], '\\d{6} ?\\d{5}'),
    isValid: card('NO'),
    word: /fødsel|personnummer|fnr/i,
    needsWord: true,
  },
  {
    type: 'ch_ahv',
    form: form([3, 13], '756\\.\\d{4}\\.\\d{4}\\.\\d{2}|756\\d{10}'),
    isValid: isAhv,
    word: /ahv|avs|avs/i,
  },
  {
    type: 'cn_id',
    form: form([17, 18], '\\d{17}[\\dX]'),
    isValid: card('zh-CN'),
    word: /身份证|resident|identity/i,
  },
  {
    type: 'kr_rrn',
    form: form([6], '\\d{2}(?:0[1-9]|1[0-2])\\d{2}-[1-8]\\d{6}'),
    isValid: isKoreanRrn,
    word: /주민|resident/i,
  },
  {
    type: 'mx_curp',
    form: form([], '[A-Z][AEIOUX][A-Z]{2}\\d{2}(?:0[1-9]|1[0-2])\\d{2}[HM][A-Z]{5}[A-Z0-9]\\d', [4]),
    word: /curp/i,
  },
];

/** Types of national ids, in the order of their names. */
export const NATIONAL_ID_TYPES: readonly string[] = [...new Set(NATIONAL_IDS.map(({ type }) => type))].sort();
