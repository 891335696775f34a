import { expect, test } from 'bun:test';
import {
  emptySums,
  type Group,
  topGroups,
} from '../../../../../../src/core/events/stores/shared/metrics/groups.ts';

const group = (value: string | null): Group => ({
  key: [value],
  sums: { ...emptySums(), requests: 2, cost_nano: 10 },
  costs: Float64Array.of(10, 0),
});

test('calls without a value are never merged with other groups', () => {
  const values = Array.from({ length: 6 }, (_, i) => group(`v${i}`));
  expect(topGroups([...values.slice(0, 5), group(null)], 5)).toEqual([...values.slice(0, 5), group(null)]);
  const rest = { ...group('…'), others: 1 };
  expect(topGroups([...values, group(null)], 5)).toEqual([...values.slice(0, 5), group(null), rest]);
});

test('the others are added up, in all and by bucket', () => {
  const [first, others, ...more] = topGroups(['a', 'b', 'c', 'd'].map(group), 1);
  expect([first, more]).toEqual([group('a'), []]);
  expect(others).toEqual({
    key: ['…'],
    sums: { ...emptySums(), requests: 6, cost_nano: 30 },
    costs: Float64Array.of(30, 0),
    others: 3,
  });
});
