import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { PriceOverride } from '../../../src/core/pricing/contract.ts';
import { createPricer } from '../../../src/core/pricing/index.ts';
import { compileGlob } from '../../../src/lib/compile-glob.ts';

/** What a pattern means, by definition: a star is nothing, or one character and the star again. */
function means(pattern: string, text: string): boolean {
  if (pattern === '') return text === '';
  if (pattern[0] === '*')
    return means(pattern.slice(1), text) || (text !== '' && means(pattern, text.slice(1)));
  return (
    text !== '' && (pattern[0] === '?' || pattern[0] === text[0]) && means(pattern.slice(1), text.slice(1))
  );
}

const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?', '-'), maxLength: 9 });
const text = fc.string({ unit: fc.constantFrom('a', 'b', '-', 'é'), maxLength: 9 });

test('a compiled glob matches exactly what the pattern means', () => {
  fc.assert(
    fc.property(pattern, text, (wanted, given) => compileGlob(wanted)(given) === means(wanted, given)),
    { numRuns: 20_000 },
  );
});

test('pieces of more than 32 and more than 64 characters are found, with ? at any place', () => {
  for (const length of [31, 32, 33, 63, 64, 65, 100]) {
    const piece = `${Array.from({ length: length - 1 }, (_, i) => (i % 7 === 3 ? '?' : 'ab'[i % 2])).join('')}b`;
    const name = piece.replaceAll('?', 'x');
    const matches = compileGlob(`*${piece}*`);
    expect(matches(`bbaab${name}ab`), `${length}`).toBe(true);
    expect(matches(`bbaab${name.slice(0, -1)}_ab`), `${length}`).toBe(false);
  }
});

const glob = (model: string, i: number): PriceOverride => ({
  id: `prc_${i}`,
  provider: null,
  match: 'glob',
  model,
  rates: { input: 1, output: 2 },
  tiers: [],
  serviceTier: null,
  effectiveFrom: null,
  effectiveUntil: null,
});

/** Patterns for which trying every place again takes the product of both lengths. */
const HOSTILE = [
  (i: number) => `*${'a'.repeat(148)}b*${'c'.repeat(i % 3)}`,
  (i: number) => `*${'a'.repeat(70)}?${'a'.repeat(70)}b*${'c'.repeat(i % 3)}`,
  (i: number) => `${'*a'.repeat(15)}b*${'c'.repeat(i % 3)}`,
];

test('500 hostile patterns and a batch of 100 new names take CPU time linear in the names', () => {
  for (const make of HOSTILE) {
    const pricer = createPricer(
      undefined,
      Array.from({ length: 500 }, (_, i) => glob(make(i), i)),
    );
    const buckets = { fresh: 1, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 1, reasoning: 0 };
    const before = process.cpuUsage();
    for (let i = 0; i < 100; i++) {
      const model = 'a'.repeat(290) + String(i);
      expect(pricer.priceCall({ provider: 'own', model, ts: 0, buckets }).status).toBe('unpriced');
    }
    const { user } = process.cpuUsage(before);
    // About 0.1 s; with the product of both lengths it is more than 10 s.
    expect(user / 1e6).toBeLessThan(3);
  }
});
