import { passesLuhn } from '../pii/checksums.ts';
import { DIGITS, HEX, type Random, randomText } from './example.ts';

function passing(random: Random, prefix: string, length: number): string {
  const body = prefix + randomText(random, length - 1 - prefix.length, DIGITS);
  return [...DIGITS].map((digit) => body + digit).find(passesLuhn) ?? body;
}

function failing(random: Random, prefix: string, length: number): string {
  const body = prefix + randomText(random, length - 1 - prefix.length, DIGITS);
  return [...DIGITS].map((digit) => body + digit).find((one) => !passesLuhn(one)) ?? body;
}

/** Numbers that pass the checksum of a card and are named as something else, in several languages. */
const NAMED = [
  'Order number {} has shipped.',
  'Order #{} is late',
  'Your tracking number is {}',
  'invoice {} is overdue',
  'IMEI: {}',
  'Bestellnummer {} wurde versandt',
  'Sendungsnummer: {}',
  'Rechnung Nr. {} liegt bei',
  'numéro de suivi {}',
  'pedido {} en camino',
  'trace_id={}',
  'request id {} failed',
  'serial: {}',
  'ref {} was closed',
];

const TEXTS: readonly string[] = [
  'Use @Component({ selector: "app" }) in Angular 17.',
  'The asset is icon@2x.png and logo@3x.webp.',
  'git clone git@github.com:acme/app.git',
  'npm i react@19.1.0 left-pad@1.3.0 @types/node@22.1.0',
  'Mention @jane in #general at 10:30.',
  'See https://medium.com/@writer/post-1 for details.',
  'ssh://deploy@host:22/srv',
  'a@b is not an address, nor is @ or x@',
  'foo@localhost and root@server are hosts.',
  'Version 1.2.3.4 of the driver, Chrome/120.0.0.0, section 4.3.2.1',
  'The server is 192.168.1.10, the loopback 127.0.0.1, the gateway 10.0.0.1',
  'ip ::1 and fe80::1 are local; time 10:20:30 and ratio 3:2:1',
  'MAC 00:1A:2B:3C:4D:5E is of the printer',
  'The meeting is on 2026-11-22 at 14:30, or 22.11.2026 or 11/22/2026.',
  'ISBN 978-3-16-148410-0 and ISSN 2049-3630',
  'DOI 10.1000/182 and arXiv 2301.12345',
  'It costs 1,234,567.89 USD or 1.234.567,89 EUR; 4111.1111 in hex',
  'Coordinates 52.520008, 13.404954 and 40.712776, -74.005974',
  'uuid 550e8400-e29b-41d4-a716-446655440000 of the job',
  'sha 4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  'epoch 1732233600000 and 1732233600',
  'pi is 3.14159265358979323846264338327950288',
  'Bank code 10020030 and BIC DEUTDEFF500',
  'GB29 is not an account, DE00 1234 5678 9012 3456 78 has a wrong checksum',
  'DE89 3704 0044 0532 0130 01 was mistyped',
  'FR76 3000 6000 0112 3456 7890 188 is mistyped too',
  'Model numbers XY12 3456 7890 1234 and AB34 5678 9012',
  'Room 4111, floors 1-12, pages 100-200, rows 1000 2000 3000 4000',
  'Scores: 4539 5780 6011 3714',
  'The number 123456789 is not of a person, 000-12-3456 neither, 666-45-1234 neither.',
  'ZIP 94103-1234 and PLZ 10115',
  'Flight LH 1234, train ICE 597, seat 61A, gate 22',
  'Call the function with (1, 2, 3) and phone_number_field=None',
  'range 10 20 30 40 50 60 70',
  'The password policy needs 12 characters.',
  'UPC 036000291452, EAN 4006381333931',
  'Table: 1 200 300, 2 400 600, 3 600 900',
  'Windows 10.0.19045 build 19045.3693',
  'CUDA 12.4.1, driver 550.54.15',
  'SKU 5500-1234-5678-9012 is out of stock',
  'Der Termin ist am 01.02.2026 um 12:00 Uhr in Raum 4.12.',
  'Le prix est de 12 345,67 € pour 100 pièces.',
  '请在2026年11月22日之前完成，编号20261122001。',
  'The passport office opens at 9; passport photos cost 12 dollars.',
  'She was born in Berlin and raised in 3 cities.',
  'Transaction 0x4e3a3754410177e6937ef1f84bba68ea139e8d1a2258c5f85db9f1cd715a1bdd',
  'color #4111111f and rgba(411, 111, 111)',
  'Kubernetes 10.96.0.1 and 172.16.254.1 are internal',
  'for (let i = 0; i < 1000000000; i++) total += 4012888888881881n;'.replace('4012888888881881', '12345'),
  'Zeile 1: 1234\nZeile 2: 5678\nZeile 3: 9012\nZeile 4: 3456',
];

/** Texts without personal data that look as if they had some. */
export const PII_NEGATIVES = (random: Random): string[] => [
  ...TEXTS,
  ...NAMED.flatMap((frame) =>
    ['4', '51', '37'].map((prefix) =>
      frame.replace('{}', passing(random, prefix, prefix === '37' ? 15 : 16)),
    ),
  ),
  ...Array.from(
    { length: 60 },
    (_, i) => `Account ${failing(random, ['4', '52', '6011', '35'][i % 4] ?? '4', 16)} is closed.`,
  ),
  ...Array.from({ length: 20 }, () => `commit ${randomText(random, 40, HEX)} by ci`),
  ...Array.from({ length: 20 }, () => `digest sha256:${randomText(random, 64, HEX)}`),
  ...Array.from({ length: 20 }, () => `ts=${1_700_000_000_000 + random(90_000_000)} dur=${random(10_000)}ms`),
];
