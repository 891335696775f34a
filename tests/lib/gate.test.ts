import { expect, test } from 'bun:test';
import { createGate } from '../../src/lib/gate.ts';

test('work runs in order up to the limit, waits up to the queue length, and is refused beyond it', async () => {
  const gate = createGate({ running: 2, waiting: 3, full: () => new Error('full') });
  const started: number[] = [];
  let running = 0;
  let most = 0;
  const work = (n: number) =>
    gate.run(async () => {
      started.push(n);
      most = Math.max(most, ++running);
      await new Promise(setImmediate);
      running--;
      if (n === 1) throw new Error('failed');
      return n;
    });
  const results = await Promise.allSettled([0, 1, 2, 3, 4, 5].map(work));
  expect(most).toBe(2);
  expect(started).toEqual([0, 1, 2, 3, 4]);
  expect(
    results.map((result) => (result.status === 'fulfilled' ? result.value : result.reason.message)),
  ).toEqual([0, 'failed', 2, 3, 4, 'full']);
  expect(await work(6)).toBe(6);
});
