import { expect, test } from 'bun:test';
import { summaryOf } from '../../../src/core/root-cause/describe.ts';
import { differenceText } from '../../../src/lib/figures.ts';

type Told = Parameters<typeof summaryOf>[0];

const told = (share: number): Told => {
  const side = { start: '2026-11-20T00:00:00.000Z', end: '2026-11-21T00:00:00.000Z', calls: 100 };
  const cause = { label: 'model “gpt-4o”', values: [{}], share, contribution: 1, reason: '1 → 2 calls' };
  return {
    measure: 'requests',
    unit: 'calls',
    status: 'explained',
    window: { ...side, value: 110 },
    baseline: { ...side, value: 100 },
    change: 10,
    causes: [cause],
  } as unknown as Told;
};

test.each([
  [0.9, 'explains 90.0% of it'],
  [1, 'explains 100.0% of it'],
  // The others changed the other way.
  [10.97, 'explains more than all of it'],
])('a cause with the share %p %s', (share, words) => {
  expect(summaryOf(told(share))).toContain(words);
});

test('a rate rises by points, all else by percent', () => {
  const rate = {
    ...told(1),
    measure: 'errorRate',
    unit: 'fraction',
    window: { ...told(1).window, value: 0.144 },
    baseline: { ...told(1).baseline, value: 0.008 },
  } as Told;
  expect(summaryOf(rate)).toStartWith('The error rate rose from 0.8% to 14.4% (+13.6 pt).');
  expect(summaryOf(told(1))).toStartWith('The number of calls rose from 100 to 110 (+10%).');
});

test('a part of a change has the unit and the sign of a difference', () => {
  expect(differenceText(0.135, 'fraction')).toBe('+13.5 pt');
  expect(differenceText(-0.135, 'fraction')).toBe('-13.5 pt');
  expect(differenceText(1.2, 'usd')).toBe('+$1.20');
  expect(differenceText(-840, 'ms')).toBe('−840 ms');
});
