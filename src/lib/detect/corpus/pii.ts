import { passesLuhn, remainder } from '../pii/checksums.ts';
import {
  createRandom,
  DIGITS,
  type Example,
  LETTERS,
  negatives,
  positive,
  positives,
  type Random,
  randomText,
} from './example.ts';
import { PROSE } from './frames.ts';
import { NATIONAL_IDS } from './national-ids.ts';
import { PII_NEGATIVES } from './pii-negatives.ts';

/** A number of a length that starts with a prefix and passes Luhn. */
export function luhnNumber(random: Random, prefix: string, length: number): string {
  const body = prefix + randomText(random, length - 1 - prefix.length, DIGITS);
  return [...DIGITS].map((digit) => body + digit).find(passesLuhn) ?? body;
}

const GROUPED = (digits: string, sign: string): string =>
  digits.length === 15
    ? `${digits.slice(0, 4)}${sign}${digits.slice(4, 10)}${sign}${digits.slice(10)}`
    : (digits.match(/.{1,4}/g) ?? []).join(sign);

const ISSUERS: readonly (readonly [string, number])[] = [
  ['4', 16],
  ['51', 16],
  ['55', 16],
  ['2221', 16],
  ['2720', 16],
  ['34', 15],
  ['37', 15],
  ['6011', 16],
  ['65', 16],
  ['3528', 16],
  ['62', 16],
  ['36', 14],
];

function cards(random: Random): Example[] {
  const numbers = Array.from({ length: 120 }, (_, i) => {
    const [prefix, length] = ISSUERS[i % ISSUERS.length] ?? ['4', 16];
    const digits = luhnNumber(random, prefix, length);
    return length === 14 || i % 3 === 2 ? digits : GROUPED(digits, i % 3 === 0 ? ' ' : '-');
  });
  return [
    ...positives('card', numbers.slice(0, 80), PROSE),
    ...positives('card', numbers.slice(80), [
      'Card number: {}, exp 12/29, CVV 123',
      'Meine Kreditkarte {} wurde abgelehnt',
      'mi tarjeta es {}',
      'carte bancaire {}',
      'visa {}',
    ]),
  ];
}

/** Countries with the form of their account numbers: `n` a digit, `a` a letter, `c` either. */
const BBANS: Readonly<Record<string, string>> = {
  DE: 'n18',
  GB: 'a4n14',
  FR: 'n10c11n2',
  NL: 'a4n10',
  ES: 'n20',
  IT: 'a1n10c12',
  CH: 'n5c12',
  AT: 'n16',
  BE: 'n12',
  PL: 'n24',
  SE: 'n20',
  PT: 'n21',
  IE: 'a4n14',
  DK: 'n14',
  NO: 'n11',
  FI: 'n14',
  CZ: 'n20',
};

export function ibanOf(random: Random, country: string): string {
  const form = BBANS[country] ?? 'n18';
  const bban = [...form.matchAll(/([nac])(\d+)/g)]
    .map(([, kind, length]) =>
      randomText(random, Number(length), kind === 'n' ? DIGITS : kind === 'a' ? LETTERS : LETTERS + DIGITS),
    )
    .join('');
  const numeric = [...`${bban}${country}00`]
    .map((one) => (one >= 'A' ? String(one.charCodeAt(0) - 55) : one))
    .join('');
  return `${country}${String(98 - remainder(numeric, 97)).padStart(2, '0')}${bban}`;
}

function ibans(random: Random): Example[] {
  const values = Array.from({ length: 102 }, (_, i) => {
    const plain = ibanOf(random, Object.keys(BBANS)[i % 17] ?? 'DE');
    return i % 3 === 0 ? plain : i % 3 === 1 ? GROUPED(plain, ' ') : plain.toLowerCase();
  });
  return positives('iban', values, PROSE);
}

const EMAILS: readonly string[] = [
  'jane.doe@example.com',
  'j@x.io',
  'first.last+tag@sub.domain.co.uk',
  "o'connor@firma.de",
  'müller@example.de',
  '用户@例子.com',
  'JANE@EXAMPLE.ORG',
  'a_b-c@my-company.museum',
  '12345@qq.com',
  'user%tag@mail.example.net',
  'ivan@почта.example.com',
  'info@xn--bcher-kva.ch',
  'x@a.b.c.d.example.fr',
  'sales-team@startup.ai',
  'no-reply@accounts.example.travel',
  'ana.maría@correo.es',
  'kim.min-su@naver.com',
  'jürgen.groß@straße-example.de',
];
const DISGUISED_EMAILS: readonly string[] = [
  'jane [at] example [dot] com',
  'jane(at)example.com',
  'jane.doe＠example.com',
  'ja\u200bne@exam\u200bple.com',
  'jаne@exаmple.com',
  '𝗷𝗮𝗻𝗲@𝗲𝘅𝗮𝗺𝗽𝗹𝗲.𝗰𝗼𝗺',
  'jane%40example.com%20x',
  'bWFpbCBtZSBhdCBqYW5lQGV4YW1wbGUuY29tIHBsZWFzZQ==',
];

const PHONES: readonly string[] = [
  '+1 415 555 2671',
  '+1 (212) 555-0187',
  '+49 30 901820',
  '+49 (0)30 901820',
  '+44 20 7946 0958',
  '+44 7911 123456',
  '+33 1 42 68 53 00',
  '+34 912 34 56 78',
  '+39 06 698 12345',
  '+31 20 794 1234',
  '+41 44 668 18 00',
  '+43 1 58858',
  '+48 22 694 00 00',
  '+55 11 96123-4567',
  '+81 3-1234-5678',
  '+86 138 1234 5678',
  '+91 98765 43210',
  '+7 495 123-45-67',
  '+61 2 9374 4000',
  '+46 8 463 12 34',
  '0049 30 901820',
  '+14155552671',
  '+4915123456789',
  '(415) 555-2671',
  '415-555-2671',
  '212.555.0187',
];

const ADDRESSES: readonly string[] = [
  '8.8.8.8',
  '203.0.112.77',
  '151.101.1.69',
  '2606:4700:4700::1111',
  '2a00:1450:4001:82a::200e',
  '95.216.4.252',
];

/** Examples of personal data, with what looks like it. */
export function piiExamples(): Example[] {
  const random = createRandom(21);
  return [
    ...cards(random),
    ...ibans(random),
    ...EMAILS.flatMap((value, i) =>
      [0, 4, 7].map((step) => positive('email', PROSE[(i + step) % PROSE.length] ?? '{}', value)),
    ),
    ...positives('email', DISGUISED_EMAILS, ['write to {} now', 'kontakt: {} bitte']),
    ...PHONES.flatMap((value, i) =>
      [0, 3, 6].map((step) => positive('phone', PROSE[(i + step) % PROSE.length] ?? '{}', value)),
    ),
    ...positives(
      'ip_address',
      [...ADDRESSES, ...ADDRESSES],
      ['client {} logged in', 'Request from {}, blocked', 'host={} port=443'],
    ),
    ...positives(
      'crypto_wallet',
      [
        '0x52908400098527886E0F7030069857D2E4169EE7',
        'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
        '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2',
      ],
      ['Send it to my BTC wallet {} please'],
    ),
    ...positives(
      'date_of_birth',
      ['12/03/1985', '1985-03-12', '3 March 1985', 'March 3, 1985', '12.03.1985'],
      ['DOB: {}', 'date of birth {}', 'born on {}', 'Geburtsdatum: {}', 'née le {}'],
    ),
    ...positives(
      'passport',
      ['C01X00T47', '533380006', 'K8293741', 'X41234564'],
      ['Passport no. {} expires soon', 'Reisepass: {}', 'passport number is {}'],
    ),
    ...NATIONAL_IDS,
    ...negatives(PII_NEGATIVES(random)),
  ];
}
