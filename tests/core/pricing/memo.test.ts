import { expect, test } from 'bun:test';
import { createMemo } from '../../../src/core/pricing/memo.ts';

test('the memo keeps what is used and never holds more than its size', () => {
  const memo = createMemo<number>(10);
  memo.set('used', 1);
  for (let i = 0; i < 1000; i++) {
    memo.set(`other ${i}`, i);
    expect(memo.get('used')).toBe(1);
  }
  const held = Array.from({ length: 1000 }, (_, i) => memo.get(`other ${i}`)).filter((v) => v !== undefined);
  expect(held.length).toBeLessThanOrEqual(10);
  expect(memo.get('other 0')).toBeUndefined();
});
