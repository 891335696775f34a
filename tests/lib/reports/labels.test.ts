import { expect, test } from 'bun:test';
import { costBeforeText, costChangeText, keyFigures } from '../../../src/lib/reports/labels.ts';

const cost = (current: number | null, previous: number | null, unpriced = 0, unpricedBefore = 0) => ({
  cost: { current, previous },
  unpriced,
  unpricedBefore,
});

test.each([
  [cost(12, 10), '$10.00', '+20%'],
  // Calls without a price make both amounts minimums.
  [cost(12, 10, 0, 3), '≥ $10.00', '+20%'],
  [cost(12, null, 0, 3), 'no price', ''],
  [cost(null, 10, 3, 0), '$10.00', ''],
  [cost(12, null), '–', 'new'],
  [cost(null, 10), '$10.00', 'ended'],
  // A report that an older version made does not count them.
  [{ cost: { current: 12, previous: 10 }, unpriced: 0 }, '$10.00', '+20%'],
])('%p was %s, a change of "%s"', (compared, before, change) => {
  expect([costBeforeText(compared), costChangeText(compared)]).toEqual([before, change]);
});

test('the key figures mark the cost of both periods, and have none without calls', () => {
  const amount = { current: 4, previous: 5 };
  const rest = { calls: amount, tokens: amount, errorRate: { current: 0, previous: 0 } };
  expect(keyFigures({ ...cost(12, 10, 1, 2), ...rest })[0]).toEqual({
    ...{ label: 'Cost', current: '≥ $12.00', previous: '≥ $10.00', change: '+20%' },
  });
  const [first] = keyFigures({ ...cost(12, 0), ...rest, calls: { current: 4, previous: 0 } });
  expect(first).toMatchObject({ previous: '–', change: 'new' });
});
