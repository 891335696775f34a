import type { Detector, Match } from '../match.ts';
import { findInViews } from '../text/find-in-views.ts';
import type { Views } from '../text/views.ts';
import { card } from './card.ts';
import { email } from './email.ts';
import { nationalIdsOf } from './find-national-ids.ts';
import { iban } from './iban.ts';
import { ipAddress } from './ip-address.ts';
import { namedValues } from './named-values.ts';
import { NATIONAL_ID_TYPES, NATIONAL_IDS } from './national-ids.ts';
import { phoneIn } from './phone.ts';
import { cryptoWallet } from './wallet.ts';

const fixed: readonly Detector[] = [email, card, iban, ipAddress, cryptoWallet, ...namedValues];

/** The types of personal data that are found. */
export const PII_TYPES: readonly string[] = [
  'email',
  'phone',
  'card',
  'iban',
  'ip_address',
  'crypto_wallet',
  'date_of_birth',
  'passport',
  ...NATIONAL_ID_TYPES,
];

/** Countries whose national phone numbers are known if a check names none. */
export const DEFAULT_COUNTRIES: readonly string[] = ['US'];

export type PiiOptions = {
  /** Only these of `PII_TYPES`. Default: all. */
  readonly types?: readonly string[] | undefined;
  /** ISO 3166 codes of the countries whose national phone numbers are found. Default: `US`. */
  readonly countries?: readonly string[] | undefined;
  /** Least confidence of a match. Default: 0.5. */
  readonly minConfidence?: number | undefined;
};

/** Creates the detectors of a check once, for all texts. */
export function createPiiDetector({
  types,
  countries,
  minConfidence = 0.5,
}: PiiOptions = {}): (views: Views) => Match[] {
  const isWanted = ({ type }: { readonly type: string }): boolean =>
    types === undefined || types.includes(type);
  const wanted = [
    ...fixed.filter(isWanted),
    nationalIdsOf(NATIONAL_IDS.filter(isWanted)),
    ...[phoneIn(countries ?? DEFAULT_COUNTRIES)].filter(isWanted),
  ];
  return (views) => findInViews(views, wanted, minConfidence);
}
