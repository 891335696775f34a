import { type Detector, matchesOf } from '../match.ts';
import { foldPattern } from '../text/fold-pattern.ts';

/** Values that only the words before them tell: the group `value` of the form. */
const named = (type: string, form: RegExp, confidence: number): Detector => {
  const folded = foldPattern(form);
  return {
    type,
    scan: (text) =>
      matchesOf(text, folded, (found) => {
        const value = found.groups?.value ?? '';
        const start = found.index + found[0].length - value.length;
        return { type, start, end: start + value.length, confidence };
      }),
  };
};

const MONTHS =
  'jan\\w{0,6}|feb\\w{0,6}|mar\\w{0,4}|apr\\w{0,4}|may|mai|jun\\w{0,2}|jul\\w{0,2}|aug\\w{0,4}|sep\\w{0,7}|o[ck]t\\w{0,5}|nov\\w{0,6}|de[cz]\\w{0,6}';

/** Dates of birth, passports and driving licences: they have no checksum, so a word must name them. */
export const namedValues: readonly Detector[] = [
  named(
    'date_of_birth',
    new RegExp(
      `(?:\\bd\\.?o\\.?b\\.?|date of birth|birth ?date|born(?: on)?|geburtsdatum|geboren(?: am)?|geb\\.|date de naissance|née? le|fecha de nacimiento|data di nascita|nat[oa] il|data de nascimento)[\\s:=]{0,4}(?:is |ist )?(?<value>\\d{1,4}[-./]\\d{1,2}[-./]\\d{1,4}|\\d{1,2}\\.? (?:${MONTHS})\\.?,? \\d{4}|(?:${MONTHS})\\.? \\d{1,2}(?:st|nd|rd|th)?,? \\d{4})`,
      'gi',
    ),
    0.85,
  ),
  named(
    'passport',
    /(?:passport|reisepass|passeport|pasaporte|passaporto)(?:[\s-]{0,2}(?:no|nr|num(?:ber|mer|éro)?|número|id)?[.:°]?)[\s:=#]{0,4}(?:is |ist )?(?<value>(?=(?:[A-Z]{0,6}\d){3})[A-Z0-9]{7,9})(?![\w-])/gi,
    0.8,
  ),
];
