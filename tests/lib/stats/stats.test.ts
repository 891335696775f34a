import { describe, expect, test } from 'bun:test';
import { comparePairs, holm } from '../../../src/lib/stats/compare-pairs.ts';
import { meanInterval, standardError } from '../../../src/lib/stats/mean-interval.ts';
import { pairedTest } from '../../../src/lib/stats/paired-test.ts';
import { createRandom } from '../../../src/lib/stats/random.ts';

const SEED = Number(Bun.env.TEST_SEED ?? 20_261_122);
const random = createRandom(SEED);
/** A normal value by Box and Muller. */
const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
const list = (n: number, make: () => number): number[] => Array.from({ length: n }, make);

/** All n^n resamples of a small sample, as the bootstrap draws them. */
function allMeans(values: readonly number[]): number[] {
  const n = values.length;
  return Array.from({ length: n ** n }, (_, code) => {
    let sum = 0;
    for (let i = 0, rest = code; i < n; i++, rest = Math.floor(rest / n)) sum += values[rest % n] ?? 0;
    return sum / n;
  }).sort((a, b) => a - b);
}

describe('the interval of a mean', () => {
  test('is that of all resamples of a small sample', () => {
    for (let round = 0; round < 20; round++) {
      const values = list(5, normal);
      const found = meanInterval(values, round);
      const all = allMeans(values);
      // Between the neighbouring percentiles of the whole distribution: 2,000 draws are exact to a percent.
      const [low, high] = [found?.low ?? Number.NaN, found?.high ?? Number.NaN];
      const at = (share: number): number => all[Math.floor(share * all.length)] ?? Number.NaN;
      expect([SEED, round, low >= at(0.008), low <= at(0.05)]).toEqual([SEED, round, true, true]);
      expect([SEED, round, high >= at(0.95), high <= at(0.992)]).toEqual([SEED, round, true, true]);
    }
  });

  test('is mean ± 1.96 standard errors of many values, resampled or not', () => {
    for (const n of [1_000, 5_000, 5_001, 20_000]) {
      const values = list(n, () => 3 + 2 * normal());
      const found = meanInterval(values, SEED);
      const margin = 1.96 * standardError(values);
      const mean = values.reduce((sum, value) => sum + value, 0) / n;
      expect(Math.abs((found?.low ?? 0) - (mean - margin))).toBeLessThan(margin * 0.12);
      expect(Math.abs((found?.high ?? 0) - (mean + margin))).toBeLessThan(margin * 0.12);
    }
  });

  test('covers the true mean of shares in about 95 of 100 samples', () => {
    let covered = 0;
    for (let round = 0; round < 300; round++) {
      const found = meanInterval(
        list(100, () => (random() < 0.7 ? 1 : 0)),
        round,
      );
      if (found !== null && found.low <= 0.7 && found.high >= 0.7) covered++;
    }
    // 300 samples: three standard deviations are 3.8 of 100.
    expect([SEED, covered >= 270]).toEqual([SEED, true]);
  });

  test('of equal values has no width, and of none is null', () => {
    expect(meanInterval([2, 2, 2], 1)).toEqual({ n: 3, mean: 2, low: 2, high: 2 });
    expect(meanInterval([], 1)).toBeNull();
  });

  test('is the same for the same seed', () => {
    const values = list(50, normal);
    expect(meanInterval(values, 9)).toEqual(meanInterval(values, 9));
  });
});

/** P(|T| ≥ t) of the paired t-test, by integrating the density of Student's distribution (Simpson). */
function studentTest(values: readonly number[]): number {
  const degrees = values.length - 1;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const t = Math.abs(mean / standardError(values));
  const density = (x: number): number => (1 + (x * x) / degrees) ** (-(degrees + 1) / 2);
  const integral = (to: number, steps = 20_000): number => {
    let sum = density(0) + density(to);
    for (let i = 1; i < steps; i++) sum += density((i * to) / steps) * (i % 2 === 0 ? 2 : 4);
    return (sum * to) / steps / 3;
  };
  return 1 - integral(t) / integral(400);
}

/** Number of heads whose probability is at most that of `wins` of `n` fair coins: the sign test. */
function signTest(wins: number, n: number): number {
  let row = [1];
  for (let i = 0; i < n; i++) row = [...row, 0].map((value, k) => value + (row[k - 1] ?? 0));
  const far = Math.abs(wins - n / 2);
  return row.reduce((sum, ways, k) => (Math.abs(k - n / 2) >= far ? sum + ways : sum), 0) / 2 ** n;
}

describe('the paired test', () => {
  test('is the sign test where all differences are as large', () => {
    for (let n = 1; n <= 14; n++)
      for (let wins = 0; wins <= n; wins++) {
        const values = Array.from({ length: n }, (_, i) => (i < wins ? 0.5 : -0.5));
        expect([n, wins, pairedTest([...values, 0, 0], 1)]).toEqual([n, wins, signTest(wins, n)]);
      }
    const many = Array.from({ length: 60 }, (_, i) => (i < 38 ? 1 : -1));
    expect(Math.abs(pairedTest(many, SEED) - signTest(38, 60))).toBeLessThan(0.012);
  });

  test('agrees with the t-test on normal differences', () => {
    for (const n of [40, 200, 1_000, 6_000]) {
      for (const shift of [0, 1, 2, 3]) {
        const values = list(n, () => normal() + shift / Math.sqrt(n));
        const [found, expected] = [pairedTest(values, SEED), studentTest(values)];
        expect([SEED, n, shift, Math.abs(found - expected) < 0.025]).toEqual([SEED, n, shift, true]);
      }
    }
  });

  test('says nothing without differences', () => {
    expect(pairedTest([], 1)).toBe(1);
    expect(pairedTest([0, 0], 1)).toBe(1);
  });
});

describe('comparisons', () => {
  test('Holm multiplies the smallest by their number, and keeps the order', () => {
    expect(holm([0.04, 0.01, 0.03])).toEqual([0.06, 0.03, 0.06]);
    expect(holm([0.9, 0.8])).toEqual([1, 1]);
  });

  const pick = (n: number, make: () => readonly [number, number]): (readonly [number, number])[] =>
    Array.from({ length: n }, make);
  const passes = (n: number): (readonly [number, number])[] =>
    list(n, random).map((hard) => [random() < hard ? 1 : 0, random() < hard ? 1 : 0]);
  const sizes = (n: number): (readonly [number, number])[] =>
    list(n, random).map((size) => [size * Math.exp(normal()), size * Math.exp(normal())]);
  /** Both sides of a pair come from the same distribution. */
  const WITHOUT_A_DIFFERENCE: Readonly<Record<string, () => (readonly [number, number])[][]>> = {
    'five measures of 60 items': () => {
      const grades = pick(60, () => [normal(), normal()]);
      return [passes(60), passes(60), grades, sizes(60), sizes(60)];
    },
    'pass or fail of 60 items': () => [passes(60)],
    'rare failures of 200 items': () => [pick(200, () => [random() < 0.97 ? 1 : 0, random() < 0.97 ? 1 : 0])],
    'normal values of 60 items': () => [pick(60, () => [normal(), normal()])],
    'very skewed costs of 100 items': () => [
      pick(100, () => [Math.exp(2 * normal()), Math.exp(2 * normal())]),
    ],
    'mostly ties among grades of 80 items': () => [
      pick(80, () => {
        const grade = Math.floor(random() * 5);
        return random() < 0.85 ? [grade, grade] : [Math.floor(random() * 5), Math.floor(random() * 5)];
      }),
    ],
    'ten items': () => [pick(10, () => [normal(), normal()])],
    'three measures of six items': () => [sizes(6), sizes(6), passes(6)],
  };

  for (const [name, make] of Object.entries(WITHOUT_A_DIFFERENCE))
    test(`without a difference at most five of a hundred find one: ${name}`, () => {
      const isLong = Bun.env.STATS === 'all';
      const rounds = isLong ? 2_000 : 60;
      // The true rate is at most 3.5 in 100: a long run exceeds 5 in 100 once in 5,000 times, a short one 9 of 60 too.
      const most = isLong ? rounds * 0.05 : 9;
      let different = 0;
      for (let round = 0; round < rounds; round++) {
        const compared = comparePairs(
          make().map((pairs, i) => ({ name: String(i), direction: 'higher' as const, pairs })),
          round,
        );
        if (compared.some(({ verdict }) => verdict !== 'unclear')) different++;
      }
      if (isLong) console.log(`different of ${rounds}, ${name}: ${different} (seed ${SEED})`);
      expect([SEED, different, different <= most]).toEqual([SEED, different, true]);
    }, 600_000);

  test('a true difference is found, with its direction', () => {
    const pairs = list(200, random).map((hard) => [hard < 0.9 ? 1 : 0, hard < 0.6 ? 1 : 0] as const);
    const [higher, lower, none] = comparePairs(
      (['higher', 'lower', 'none'] as const).map((direction) => ({ name: direction, direction, pairs })),
      1,
    );
    expect([higher?.verdict, lower?.verdict, none?.verdict]).toEqual(['better', 'worse', 'different']);
    expect(higher?.wins).toBe(lower?.losses as number);
    expect((higher?.wins ?? 0) + (higher?.losses ?? 0) + (higher?.ties ?? 0)).toBe(200);
  });
});
