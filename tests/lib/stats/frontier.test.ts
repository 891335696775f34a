import { expect, test } from 'bun:test';
import { frontier } from '../../../src/lib/stats/frontier.ts';
import { randomBelow } from '../../helpers/random.ts';

test('the best at their cost are those that a sweep by cost finds', () => {
  expect(frontier([])).toEqual([]);
  const below = randomBelow();
  for (let round = 0; round < 300; round++) {
    const points = Array.from({ length: 1 + below(12) }, () => ({ cost: below(8), value: below(8) }));
    // Cheapest first: one belongs if it is better than all that cost less, and the best at its own cost.
    const costs = [...new Set(points.map(({ cost }) => cost))].toSorted((a, b) => a - b);
    let best = Number.NEGATIVE_INFINITY;
    const expected = new Set<number>();
    for (const cost of costs) {
      const top = Math.max(...points.filter((one) => one.cost === cost).map(({ value }) => value));
      if (top <= best) continue;
      best = top;
      for (const [place, one] of points.entries())
        if (one.cost === cost && one.value === top) expected.add(place);
    }
    expect(frontier(points)).toEqual([...expected].toSorted((a, b) => a - b));
  }
});
