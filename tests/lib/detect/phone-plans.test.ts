import { expect, test } from 'bun:test';
import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min';
import { internationalPlan, nationalPlan } from '../../../src/lib/detect/pii/phone-plans.ts';
import { createRandom, TEST_SEED } from '../../helpers/random.ts';

/** Numbers of each country. */
const ROUNDS = Number(process.env.PHONE_ROUNDS ?? 40);

const isValid = (number: string, country?: CountryCode): boolean =>
  parsePhoneNumberFromString(number, country)?.isValid() === true;

test(`what patterns tell of a number is what libphonenumber says, in every country (seed ${TEST_SEED})`, () => {
  const random = createRandom(TEST_SEED);
  const int = (below: number): number => Math.floor(random() * below);
  const pick = (list: readonly string[]): string => list[int(list.length)] ?? '';
  const abroad = internationalPlan();
  const wrong: string[] = [];
  let [told, valid] = [0, 0];
  for (const country of getCountries()) {
    const code = getCountryCallingCode(country);
    const plan = nationalPlan(country);
    for (let i = 0; i < ROUNDS; i++) {
      const body = Array.from({ length: 5 + int(9) }, () => int(10)).join('');
      const national = (pick(['', '0', '1', code, `${code}0`, '011', '8']) + body).slice(0, 15);
      const international = (code + pick(['', '0', '1']) + body).slice(0, 15);
      for (const [number, is, by] of [
        [national, isValid(national, country), plan],
        [`+${international}`, isValid(`+${international}`), abroad],
      ] as const) {
        const says = by(number.replace('+', ''));
        if (says !== null && says !== is) wrong.push(`${country} ${number} ${is}`);
        told += Number(says !== null);
        valid += Number(is);
      }
    }
  }
  expect(wrong).toEqual([]);
  expect(valid).toBeGreaterThan(1_000);
  expect(told).toBeGreaterThan(8_000);
});
