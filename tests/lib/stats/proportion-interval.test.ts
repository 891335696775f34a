import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { proportionInterval } from '../../../src/lib/stats/proportion-interval.ts';

const Z = 1.959963984540054;
/** The bounds of Wilson's interval are where the score test is exactly at its limit: |p̂ − p| = z √(p(1 − p)/n). */
const score = (share: number, p: number, n: number): number =>
  Math.abs(share - p) / Math.sqrt((p * (1 - p)) / n);

test('the bounds for single cases solve the equation of the score test', () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { minLength: 2, maxLength: 60 }), (outcomes) => {
      const passed = outcomes.filter(Boolean).length;
      const found = proportionInterval(outcomes.map((one) => ({ passed: Number(one), all: 1 })));
      if (found === null) throw new Error('no interval');
      expect(found.mean).toBeCloseTo(passed / outcomes.length, 12);
      expect(found.low).toBeLessThanOrEqual(found.mean);
      expect(found.high).toBeGreaterThanOrEqual(found.mean);
      if (passed > 0) expect(score(found.mean, found.low, outcomes.length)).toBeCloseTo(Z, 6);
      if (passed < outcomes.length) expect(score(found.mean, found.high, outcomes.length)).toBeCloseTo(Z, 6);
    }),
  );
});

test('repetitions that always agree count as one case', () => {
  const single = proportionInterval([1, 1, 0, 1, 0, 1, 1, 1].map((passed) => ({ passed, all: 1 })));
  const repeated = proportionInterval([5, 5, 0, 5, 0, 5, 5, 5].map((passed) => ({ passed, all: 5 })));
  expect(repeated?.n).toBe(40);
  expect(repeated?.low).toBeCloseTo(single?.low ?? 0, 10);
  expect(repeated?.high).toBeCloseTo(single?.high ?? 0, 10);
});

test('repetitions that differ by chance count more', () => {
  const found = proportionInterval([4, 3, 4, 5, 4, 3, 4, 5].map((passed) => ({ passed, all: 5 })));
  const flat = proportionInterval([{ passed: 32, all: 40 }]);
  expect(found?.low).toBeCloseTo(flat?.low ?? 0, 10);
});

test('all and none still have an interval, and nothing has none', () => {
  expect(proportionInterval([{ passed: 5, all: 5 }])).toMatchObject({
    mean: 1,
    high: 1,
    low: expect.closeTo(0.5655, 4),
  });
  expect(proportionInterval([{ passed: 0, all: 5 }])).toMatchObject({
    mean: 0,
    low: 0,
    high: expect.closeTo(0.4345, 4),
  });
  expect(proportionInterval([{ passed: 0, all: 0 }])).toBeNull();
});
