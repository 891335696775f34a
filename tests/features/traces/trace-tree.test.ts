import { expect, test } from 'bun:test';
import { ancestors, unfolded } from '../../../src/features/traces/trace-tree.ts';
import { spansOf } from './spans-of.ts';

const spans = spansOf([
  [0, 0, 9],
  [1, 0, 9],
  [2, 0, 9],
  [1, 0, 9],
  [0, 0, 9],
]);

test('what is below a folded span is out of sight, whatever is folded there', () => {
  expect(unfolded(spans, new Set())).toEqual([0, 1, 2, 3, 4]);
  expect(unfolded(spans, new Set([1]))).toEqual([0, 1, 3, 4]);
  expect(unfolded(spans, new Set([0, 1]))).toEqual([0, 4]);
});

test('the spans above one are those that have to be open for it to be seen', () => {
  expect([2, 3, 4].map((place) => ancestors(spans, place))).toEqual([[0, 1], [0], []]);
});
