import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { type Detector, type Match, matchesOf } from '../match.ts';
import { foldPattern } from '../text/fold-pattern.ts';
import { digitsOf, isTrivial } from './checksums.ts';
import { internationalPlan, nationalPlan, type PhonePlan } from './phone-plans.ts';

/** Digits with the separators of phone numbers, at most 15 digits. */
const CANDIDATE = /(?<![\w@#$€£%.,:=/-]|\d )(?:\+|\(\+?)?\d[\d ()./-]{5,22}\d(?![\w%€$£@]|[.,:/-]\d)/g;
/** More separators in a row than a number has. */
const SCATTERED = /[ ()./-]{4}/;
const WORD = foldPattern(
  /(?:phone|tel(?:efon\w*|ephone|éfono|efone)?|mobile?|cell|call|fax|whatsapp|sms|text me|reach me|ring|handy|mobil\w*|rufnummer|anruf\w*|ruf(?:en)?|portable|appel\w*|joindre|llam\w+|móvil|celular|ligue|chiam\w+|cellulare|numer telefonu|zadzwoń|телефон\w*|звон\w+|電話|电话|手机)[^\d\n]{0,25}$/i,
);
const OTHER_NUMBER =
  /(?:order|invoice|ticket|ref(?:erence)?|serial|isbn|issn|doi|iban|card|account|konto|version|id|no|nr|#|date|zip|plz|postcode|bestell\w*|rechnung\w*)[\s.:=#_-]{0,4}$/i;
const DATE = /^(?:\d{4}[-./ ]\d{1,2}[-./ ]\d{1,2}|\d{1,2}[-./ ]\d{1,2}[-./ ]\d{4})(?:[ T]\d{1,2})?$/;

/**
 * Most tries of the library, 10 to 30 µs each, for international and for national numbers. Further numbers count unchecked
 * if they are international, named, or written like a valid one of the same text.
 */
const MAX_INTERNATIONAL = 12;
const MAX_NATIONAL = 24;

/**
 * Phone numbers: international ones, national ones of the given countries if they are grouped or named. Validity is that
 * of libphonenumber.
 * @param countries ISO 3166 codes
 */
export function phoneIn(countries: readonly string[]): Detector {
  const abroad = internationalPlan();
  const plans = countries.map((country) => ({
    country: country as CountryCode,
    plan: nationalPlan(country),
  }));
  return { type: 'phone', scan: (text) => phonesIn(text, plans, abroad) };
}

type CountryPlan = { readonly country: CountryCode; readonly plan: PhonePlan };

function phonesIn(text: string, plans: readonly CountryPlan[], abroad: PhonePlan): Match[] {
  const tries = { international: 0, national: 0 };
  const shapes = createShapes();
  const isValid = (number: string, country?: CountryCode): boolean =>
    parsePhoneNumberFromString(number, country)?.isValid() === true;
  return matchesOf(text, CANDIDATE, ({ 0: all, index }) => {
    const digits = digitsOf(all);
    if (digits.length < 7 || digits.length > 15 || isTrivial(digits) || DATE.test(all) || SCATTERED.test(all))
      return null;
    const match = (confidence: number): Match => ({
      type: 'phone',
      start: index,
      end: index + all.length,
      confidence,
    });
    const isInternational = /^(?:\(?\+|00)/.test(all);
    if (isInternational) {
      if (tries.international >= MAX_INTERNATIONAL) return match(0.6);
      tries.international++;
      const number = all.replace(/^00/, '+').replace(/^\(\+/, '+');
      return (abroad(digitsOf(number)) ?? isValid(number)) ? match(0.95) : null;
    }
    const before = text.slice(Math.max(0, index - 40), index);
    const isNamed = WORD.test(before);
    const isGrouped = /\d[ ./()-]+\d/.test(all);
    if (!isNamed && (!isGrouped || OTHER_NUMBER.test(before))) return null;
    if (tries.national >= MAX_NATIONAL) return isNamed || shapes.isUsual(all) ? match(0.6) : null;
    const isRight = plans.some(({ country, plan }) => {
      tries.national++;
      return plan(digits) ?? isValid(all, country);
    });
    shapes.note(all, isRight);
    return isRight ? match(isNamed ? 0.9 : 0.7) : null;
  });
}

/** How the numbers of a text are written, and how many of each shape are valid: in a list, most are. */
function createShapes() {
  const known = new Map<string, { tried: number; valid: number }>();
  const of = (number: string) => {
    const shape = number.replace(/\d/g, '0');
    const counts = known.get(shape) ?? { tried: 0, valid: 0 };
    known.set(shape, counts);
    return counts;
  };
  return {
    note(number: string, isValid: boolean): void {
      const counts = of(number);
      counts.tried++;
      if (isValid) counts.valid++;
    },
    isUsual(number: string): boolean {
      const { tried, valid } = of(number);
      return valid > 1 && valid * 2 > tried;
    },
  };
}
