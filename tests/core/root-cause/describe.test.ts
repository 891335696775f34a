import { expect, test } from 'bun:test';
import { summaryOf } from '../../../src/core/root-cause/describe.ts';

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
