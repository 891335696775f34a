import { expect, test } from 'bun:test';
import { createLiteralSearch } from '../../../src/lib/detect/text/literals.ts';
import { createRandom, TEST_SEED } from '../../helpers/random.ts';

/** Every place of every literal, found one by one. */
function placesOf(literals: readonly string[], text: string): string[] {
  const lower = text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  return literals.flatMap((literal, number) => {
    const places: string[] = [];
    for (let at = lower.indexOf(literal); at !== -1; at = lower.indexOf(literal, at + 1))
      places.push(`${number} ${at}`);
    return places;
  });
}

test(`many literals are found as each alone would be (seed ${TEST_SEED})`, () => {
  const random = createRandom(TEST_SEED);
  const word = (longest: number, letters: string): string =>
    Array.from(
      { length: 1 + Math.floor(random() * longest) },
      () => letters[Math.floor(random() * letters.length)],
    ).join('');
  for (let round = 0; round < 300; round++) {
    const literals = [...new Set(Array.from({ length: 8 }, () => word(4, 'ab-c')))];
    const search = createLiteralSearch(literals);
    const text = word(60, 'abAB-cé\u{1f600}');
    const found: string[] = [];
    search.each(text, (literal, start) => found.push(`${literal} ${start}`));
    const expected = placesOf(literals, text);
    expect(found.sort(), JSON.stringify({ literals, text })).toEqual(expected.sort());
    const present = literals.map((_, number) => Number(expected.some((one) => one.startsWith(`${number} `))));
    expect([...search.present(text)]).toEqual(present);
  }
});
