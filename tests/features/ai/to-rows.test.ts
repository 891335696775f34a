import { expect, test } from 'bun:test';
import type { MetricsReply } from '../../../src/core/events/query/contract.ts';
import { toRows } from '../../../src/features/ai/ask/to-rows.ts';

const reply = {
  measures: [
    { name: 'errorRate', unit: 'fraction' },
    { name: 'cost', unit: 'usd' },
    { name: 'latencyP95', unit: 'ms' },
  ],
  groupBy: ['model'],
  groups: [],
  others: null,
  steps: [],
  total: {
    values: { errorRate: 0.066, cost: 12, latencyP95: null },
    previous: { values: { errorRate: 0.045, cost: 10, latencyP95: 900 } },
  },
} as unknown as MetricsReply;

test('rates change by points, all else by percent, and what is unknown does not change', () => {
  expect(toRows(reply, null).at(-1)?.change).toEqual({
    errorRate: '+2.1 pt',
    cost: '+20%',
    latencyP95: null,
  });
});
