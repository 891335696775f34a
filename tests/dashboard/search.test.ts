import { expect, test } from 'bun:test';
import { isOneOf } from '../../src/dashboard/shell/scope/search.ts';
import { rangeOf } from '../../src/dashboard/shell/scope/time-range.ts';

const NOW = Date.UTC(2026, 5, 15, 12);

test.each(['constructor', 'toString', '__proto__', ''])('%p, which every object has, is no name', (name) => {
  expect(isOneOf(name, { cost: 1 })).toBe(false);
  expect(rangeOf({ range: name }, NOW)).toEqual(rangeOf({}, NOW));
});

test('a name of the list is one', () => {
  expect(isOneOf('cost', { cost: 1 })).toBe(true);
  expect(isOneOf(undefined, { cost: 1 })).toBe(false);
  expect(rangeOf({ range: '24h' }, NOW).label).toBe('Last 24 hours');
});
