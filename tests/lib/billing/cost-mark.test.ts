import { expect, test } from 'bun:test';
import { costMark, markOf, unpricedText } from '../../../src/lib/billing/cost-mark.ts';

test('a cost is a minimum if some of its calls have no price, and unknown if none has', () => {
  expect(costMark({ unpriced: 0, calls: 0 })).toBe('known');
  expect(costMark({ unpriced: 1, calls: 2 })).toBe('minimum');
  expect(costMark({ unpriced: 2, calls: 2 })).toBe('unpriced');
});

test.each([
  ['cost', 1, 0, 'known'],
  ['cost', 1, 3, 'minimum'],
  ['cost', null, 3, 'unpriced'],
  ['costAvg', 1, 3, 'known'],
  ['costAvg', null, 3, 'unpriced'],
  ['latencyP95', null, 3, 'known'],
  ['runCost', 1, undefined, 'known'],
  ['runCost', 1, 3, 'minimum'],
  ['runCost', null, 3, 'unpriced'],
  ['runCostAvg', 1, 3, 'known'],
  ['runCostPerSuccess', null, 3, 'known'],
] as const)('%s of %p with %p unpriced calls is %s', (measure, value, unpriced, mark) => {
  expect(markOf(measure, value, unpriced)).toBe(mark);
});

test('the calls without a price are counted in words', () => {
  expect(unpricedText({ unpriced: 1_043, calls: 10_757 })).toBe('1,043 of 10,757 calls unpriced');
});
