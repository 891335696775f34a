import type { Detector, Match } from '../match.ts';
import { matchAt, matchesOf } from '../match.ts';
import { foldPattern } from '../text/fold-pattern.ts';

const KEY_BEGIN = /-----BEGIN (?:[A-Z0-9]{2,10} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g;
const KEY_END = /-----END (?:[A-Z0-9]{2,10} ){0,3}PRIVATE KEY(?: BLOCK)?-----/;
const MAX_KEY = 8_000;
const JWT = /(?<![\w.-])eyJ[\w-]{10,2000}\.eyJ[\w-]{10,4000}\.[\w-]{20,1000}(?![\w-])/g;
const URL_PASSWORD =
  /(?<![a-z0-9])[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/"'<>]{0,80}:(?<value>[^\s:@/"'<>]{3,100})@[a-z0-9[][\w.:[\]-]{1,200}/gi;
const ASSIGNED = foldPattern(
  /(?:secret|passw(?:or)?d|pwd|passphrase|passwort|mot de passe|contraseña|api[ _-]?key|access[ _-]?key|account[ _-]?key|auth[ _-]?token|access[ _-]?token|private[ _-]?key|client[ _-]?key|signing[ _-]?key|encryption[ _-]?key|bearer|token|credential)s?(?:[ _-]?(?:id|key|value|access[ _-]?key))?["'`]?\s{0,3}(?:is|lautet|est|:=|=>|=|:| )\s{0,3}["'`]?(?:Bearer |Basic )?(?<value>[^\s"'`,;<>(){}[\]]{8,200})/gi,
);

/** What stands for a secret in examples and templates. */
const PLACEHOLDER =
  /^(?:\$|%|\*|x{4,}|\.{3,}|your|my[_-]|change|example|sample|dummy|test|placeholder|redacted|none|null|undefined|true|false|process\.env|os\.|env\.|secrets?\.|config\.|vault:|\/\/|https?:)|x{6,}|\*{3,}|\.\.\.|…|_here$|-here$/i;

/** Bits per character; random text of letters and digits has 4 and more, words have about 3. */
function entropyOf(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

/** The confidence that an assigned value is a secret: random enough, and of more than one kind of character. */
function confidenceOf(name: string, value: string): number {
  if (PLACEHOLDER.test(value)) return 0;
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((kind) => kind.test(value)).length;
  const entropy = entropyOf(value);
  const isPassword = /pass|pwd|contraseña/i.test(name);
  // Words, versions and paths are no secrets.
  if (!/\d/.test(value) && kinds < 3) return 0;
  if (/^[\d.,:/-]+$/.test(value) || /^[a-z]+(?:[-_./][a-z0-9]+)+$/.test(value)) return 0;
  if (isPassword) return kinds >= 3 && entropy >= 2.5 ? 0.8 : 0;
  if (value.length < 16 || kinds < 2) return 0;
  return entropy >= 3.7 ? 0.8 : entropy >= 3.3 ? 0.6 : 0;
}

const assignedValue = (found: RegExpExecArray, type: string, confidence: number): Match => {
  const value = found.groups?.value ?? '';
  const start = found.index + found[0].indexOf(value, found[0].length - value.length - 220);
  return { type, start, end: start + value.length, confidence };
};

/** A key up to its end; without one, what is left of it. The next key is looked for after it. */
function wholeKey(text: string, { 0: head, index }: RegExpExecArray): Match {
  const rest = text.slice(index, index + MAX_KEY);
  const next = rest.indexOf('-----BEGIN', head.length);
  const own = next === -1 ? rest : rest.slice(0, next);
  const end = KEY_END.exec(own);
  const length = end === null ? head.length : end.index + end[0].length;
  return { type: 'private_key', start: index, end: index + length, confidence: 0.99 };
}

/** Credentials that belong to no provider: private keys, JSON web tokens, passwords in addresses, assigned values. */
export const generalSecrets: readonly Detector[] = [
  {
    type: 'private_key',
    scan: (text) =>
      text.includes('PRIVATE KEY') ? matchesOf(text, KEY_BEGIN, (found) => wholeKey(text, found)) : [],
  },
  {
    type: 'jwt',
    scan: (text) =>
      text.includes('eyJ') ? matchesOf(text, JWT, (found) => matchAt(found, 'jwt', 0.95)) : [],
  },
  {
    type: 'url_password',
    scan: (text) =>
      text.includes('://')
        ? matchesOf(text, URL_PASSWORD, (found) => {
            const value = found.groups?.value ?? '';
            if (PLACEHOLDER.test(value) || /^(?:pass(?:word)?|pwd|secret)$/i.test(value)) return null;
            const start = found.index + found[0].indexOf(`:${value}@`) + 1;
            return { type: 'url_password', start, end: start + value.length, confidence: 0.9 };
          })
        : [],
  },
  {
    type: 'assigned_secret',
    scan: (text) =>
      matchesOf(text, ASSIGNED, (found) => {
        const value = found.groups?.value ?? '';
        const confidence = confidenceOf(found[0].slice(0, -value.length), value);
        return confidence === 0 ? null : assignedValue(found, 'assigned_secret', confidence);
      }),
  },
];
