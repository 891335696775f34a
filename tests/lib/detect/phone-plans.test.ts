import { expect, test } from 'bun:test';
import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min';
import { likelyInternational, likelyNational } from '../../../src/lib/detect/pii/phone-plans.ts';
import { createRandom, TEST_SEED } from '../../helpers/random.ts';

const isValid = (number: string, country?: CountryCode): boolean =>
  parsePhoneNumberFromString(number, country)?.isValid() === true;

test(`no number that libphonenumber finds valid is left out, in any country (seed ${TEST_SEED})`, () => {
  const random = createRandom(TEST_SEED);
  const int = (below: number): number => Math.floor(random() * below);
  const pick = (list: readonly string[]): string => list[int(list.length)] ?? '';
  const isLikelyAbroad = likelyInternational();
  const missed: string[] = [];
  let valid = 0;
  for (const country of getCountries()) {
    const code = getCountryCallingCode(country);
    const isLikely = likelyNational(country);
    for (let i = 0; i < 40; i++) {
      const body = Array.from({ length: 5 + int(9) }, () => int(10)).join('');
      const national = (pick(['', '0', '1', code, `${code}0`, '011', '8']) + body).slice(0, 15);
      const international = (code + pick(['', '0', '1']) + body).slice(0, 15);
      const found = [isValid(national, country), isValid(`+${international}`)];
      valid += Number(found[0]) + Number(found[1]);
      if (found[0] && !isLikely(national)) missed.push(`${country} ${national}`);
      if (found[1] && !isLikelyAbroad(international)) missed.push(`+${international}`);
    }
  }
  expect(missed).toEqual([]);
  expect(valid).toBeGreaterThan(1_000);
});
