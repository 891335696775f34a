import { expect, test } from 'bun:test';
import { krippendorffsAlpha, type Level } from '../../../src/lib/stats/krippendorffs-alpha.ts';
import { randomBelow } from '../../helpers/random.ts';

type Values = readonly (string | number)[];

/** The definition by a coincidence matrix: a count for each ordered pair of values, weighted by its unit. */
function byMatrix(units: readonly Values[], level: Level): number | null {
  const matrix = new Map<string, number>();
  for (const values of units)
    for (const [i, a] of values.entries())
      for (const [j, b] of values.entries()) {
        if (i === j) continue;
        const cell = JSON.stringify([a, b]);
        matrix.set(cell, (matrix.get(cell) ?? 0) + 1 / (values.length - 1));
      }
  const cells = [...matrix].map(([cell, count]) => [JSON.parse(cell) as [string, string], count] as const);
  const totals = new Map<string | number, number>();
  for (const [[a], count] of cells) totals.set(a, (totals.get(a) ?? 0) + count);
  const n = [...totals.values()].reduce((sum, count) => sum + count, 0);
  const distance = (a: string | number, b: string | number): number =>
    level === 'nominal' ? Number(a !== b) : (Number(a) - Number(b)) ** 2;
  let observed = 0;
  for (const [[a, b], count] of cells) observed += count * distance(a, b);
  let expected = 0;
  for (const [a, x] of totals) for (const [b, y] of totals) expected += x * y * distance(a, b);
  return expected === 0 ? null : 1 - ((n - 1) * observed) / expected;
}

test("the published example's values: 0.743 as words, 0.849 as numbers", () => {
  const _ = null;
  const raters = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, _, _, _],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, _, 3],
    [_, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, _],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, _],
  ];
  const units = raters[0]?.map((__, unit) => raters.flatMap((row) => row[unit] ?? [])) ?? [];
  expect(krippendorffsAlpha(units, 'nominal')).toBeCloseTo(0.743, 3);
  expect(krippendorffsAlpha(units, 'interval')).toBeCloseTo(0.849, 3);
});

test('random ratings have the alpha of their coincidence matrix', () => {
  const below = randomBelow();
  for (let round = 0; round < 300; round++) {
    const raters = 2 + below(4);
    const values = 1 + below(5);
    const units = Array.from({ length: 1 + below(30) }, () =>
      Array.from({ length: raters }, () => below(values)).slice(0, below(raters + 1)),
    );
    const paired = units.filter(({ length }) => length >= 2);
    for (const level of ['nominal', 'interval'] as const) {
      const own = krippendorffsAlpha(units, level);
      const other = paired.length === 0 ? null : byMatrix(paired, level);
      if (other === null) expect(own).toBeNull();
      else expect(own).toBeCloseTo(other, 9);
    }
  }
});

test('without pairs, and with one value throughout, alpha is not defined', () => {
  expect(krippendorffsAlpha([], 'nominal')).toBeNull();
  expect(krippendorffsAlpha([[1], [2]], 'interval')).toBeNull();
  expect(
    krippendorffsAlpha(
      [
        ['a', 'a'],
        ['a', 'a', 'a'],
      ],
      'nominal',
    ),
  ).toBeNull();
});
