import { describe, expect, test } from 'bun:test';
import { createFairQueue, type FairQueue } from '../../src/lib/fair-queue.ts';

const takeAll = (queue: FairQueue<string>): string[] => {
  const taken: string[] = [];
  for (let item = queue.take(); item !== undefined; item = queue.take()) taken.push(item);
  return taken;
};

describe('createFairQueue', () => {
  test('takes from each owner in turn, for each in order', () => {
    const queue = createFairQueue<string>();
    for (const item of ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1']) queue.add(item.slice(0, 1), item);
    expect([queue.size, queue.count('a')]).toEqual([7, 4]);
    expect(takeAll(queue)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']);
    expect([queue.size, queue.count('a')]).toEqual([0, 0]);
  });

  test('an owner who comes late waits for one item, however many others have been served', () => {
    const queue = createFairQueue<string>();
    for (let i = 0; i < 1_000; i++) queue.add('a', `a${i}`);
    for (let i = 0; i < 500; i++) queue.take();
    queue.add('b', 'b');
    expect([queue.take(), queue.take()]).toContain('b');
  });

  test('nobody saves up turns while idle', () => {
    const queue = createFairQueue<string>();
    queue.add('b', 'b');
    queue.take();
    for (let i = 0; i < 100; i++) queue.add('a', 'a');
    for (let i = 0; i < 50; i++) queue.take();
    for (let i = 0; i < 10; i++) queue.add('b', 'b');
    const next = Array.from({ length: 10 }, () => queue.take());
    expect(next.filter((item) => item === 'a').length).toBeGreaterThanOrEqual(4);
  });

  test('what an owner was charged delays the next item of that owner', () => {
    const queue = createFairQueue<string>();
    queue.add('a', 'a1');
    queue.take();
    queue.charge('a', 3);
    queue.add('a', 'a2');
    for (let i = 1; i < 6; i++) queue.add('b', `b${i}`);
    expect(takeAll(queue).indexOf('a2')).toBe(4);
  });

  test('passes over owners that may not be served now', () => {
    const queue = createFairQueue<string>();
    queue.add('a', 'a');
    queue.add('b', 'b');
    expect(queue.take((owner) => owner !== 'a')).toBe('b');
    expect(queue.take((owner) => owner !== 'a')).toBeUndefined();
    expect(queue.take()).toBe('a');
  });

  test('forgets idle owners', () => {
    const queue = createFairQueue<string>();
    for (let i = 0; i < 100_000; i++) {
      queue.add(`owner ${i}`, 'x');
      queue.take();
    }
    queue.add('last', 'last');
    expect(queue.take()).toBe('last');
  });
});
