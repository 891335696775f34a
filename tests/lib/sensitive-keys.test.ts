import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { createRedactor } from '../../src/lib/redact.ts';
import { createSensitive, DEFAULT_REDACT_KEYS, REDACTED } from '../../src/lib/sensitive-keys.ts';
import { DEFAULT_REDACT_KEYS as SDK_KEYS } from '../../src/sdk/index.ts';
import { FIELD_LIMITS, snapshot } from '../../src/sdk/send/snapshot.ts';

const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const byServer = createRedactor(DEFAULT_REDACT_KEYS);
const isSensitive = createSensitive(SDK_KEYS);
const bySdk = (value: unknown): unknown => snapshot(value, FIELD_LIMITS, { hide: isSensitive });

const SECRET = 'the-secret-value';
const KEPT = 'the-kept-value';

/** A listed name in any case, with separators between its letters, which may be full-width or accented. */
const listed = fc
  .tuple(
    fc.constantFrom(...DEFAULT_REDACT_KEYS),
    fc.infiniteStream(fc.constantFrom('', '', '', '_', '-', ' ', '\u200b', '\u2010', '\u0301')),
    fc.infiniteStream(fc.constantFrom('lower', 'upper', 'wide')),
  )
  .map(([name, gaps, spellings]) =>
    [...name].map((letter) => spell(letter, spellings.next().value) + gaps.next().value).join(''),
  );

function spell(letter: string, spelling: 'lower' | 'upper' | 'wide' | undefined): string {
  if (spelling === 'upper') return letter.toUpperCase();
  const isLetter = /[a-z]/.test(letter);
  return spelling === 'wide' && isLetter ? String.fromCharCode(letter.charCodeAt(0) + 0xfee0) : letter;
}

/** Names that look like a listed one to a reader and are others: a letter more, less or of another alphabet. */
const lookalike = fc
  .tuple(fc.constantFrom(...DEFAULT_REDACT_KEYS), fc.nat(), fc.constantFrom('x', '0', '.', '\u0430', ''))
  .map(([name, at, put]) => {
    const place = at % name.length;
    return name.slice(0, place) + put + name.slice(put === '' ? place + 1 : place);
  })
  .filter((name) => !DEFAULT_REDACT_KEYS.map(plain).includes(plain(name)));
const plain = (name: string): string => name.replace(/[-_]/g, '');

const leaf = fc.oneof(
  fc.tuple(listed, fc.constantFrom(SECRET, { a: SECRET }, [[SECRET]])),
  fc.tuple(lookalike, fc.constantFrom(KEPT, { a: KEPT }, [[KEPT]])),
);
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 10, withCrossShrink: true },
    leaf.map(([key, value]) => ({ [key]: value })),
    fc.array(tie('tree'), { maxLength: 3 }),
    fc
      .tuple(leaf, fc.constantFrom('a', '__proto__', 'tags'), tie('tree'))
      .map(([[key, value], below, more]) =>
        JSON.parse(`{${[entry(key, value), entry(below, more)].join()}}`),
      ),
  ),
}));
const entry = (key: string, value: unknown): string => `${JSON.stringify(key)}:${JSON.stringify(value)}`;

describe('keys that are redacted', () => {
  test('the server and the SDK redact the same values, in any spelling and at any depth', () => {
    fc.assert(
      fc.property(tree, (value) => {
        const redacted = asJson(byServer(value));
        expect(asJson(bySdk(value))).toEqual(redacted);
        expect(JSON.stringify(redacted)).not.toContain(SECRET);
      }),
      { numRuns: 1_000 },
    );
  });

  test('a listed name is redacted by both, and a lookalike by neither', () => {
    fc.assert(
      fc.property(listed, lookalike, (key, other) => {
        for (const redact of [byServer, bySdk]) {
          expect(asJson(redact({ [key]: SECRET }))).toEqual({ [key]: REDACTED });
          expect(asJson(redact({ [other]: KEPT }))).toEqual({ [other]: KEPT });
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
