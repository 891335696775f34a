import { describe, expect, test } from 'bun:test';
import { nextSize, paced } from '../../../src/core/jobs/paced.ts';
import { conflict, unavailable } from '../../../src/errors.ts';

const { signal } = new AbortController();

describe('paced', () => {
  test('walks from its cursor to the end and adds up what was done', async () => {
    const seen: number[] = [];
    const totals: number[] = [];
    const done = await paced({
      from: 3,
      signal,
      slice: async (at) => {
        seen.push(at);
        return { next: at === 6 ? null : at + 1, done: at, ms: 0 };
      },
      onProgress: (total) => totals.push(total),
    });
    expect(seen).toEqual([3, 4, 5, 6]);
    expect(totals).toEqual([3, 7, 12, 18]);
    expect(done).toBe(18);
  });

  test('does nothing when there is nothing to do', async () => {
    const slice = () => Promise.reject(new Error('not called'));
    expect(await paced<number>({ from: null, signal, slice })).toBe(0);
  });

  test('makes slices larger while they are short and smaller when they are long', async () => {
    const sizes: number[] = [];
    const times = [0, 0, 2, 9, 9, 0];
    await paced({
      from: 0,
      signal,
      sizes: { first: 16, least: 8, most: 32 },
      slice: async (at, size) => {
        sizes.push(size);
        return { next: at === 5 ? null : at + 1, done: 0, ms: times[at] ?? 0 };
      },
    });
    expect(sizes).toEqual([16, 24, 32, 32, 16, 8]);
  });

  test('pauses for as long as a slice kept the writer busy', async () => {
    const since = performance.now();
    const slice = async (at: number) => ({ next: at === 0 ? 1 : null, done: 1, ms: 80 });
    await paced({ from: 0, signal, slice });
    expect(performance.now() - since).toBeGreaterThanOrEqual(79);
  });

  test('repeats a slice that the store refused with 503, and throws other errors', async () => {
    let refusals = 1;
    const refuseOnce = async () => {
      if (refusals-- > 0) throw unavailable('The store is busy; try again');
      return { next: null, done: 1 };
    };
    expect(await paced({ from: 0, signal, slice: refuseOnce })).toBe(1);
    const slice = () => Promise.reject(conflict('not now'));
    expect(paced({ from: 0, signal, slice })).rejects.toThrow('not now');
  });

  test('throws the reason of the signal after the current slice', async () => {
    const abort = new AbortController();
    let slices = 0;
    const work = paced({
      from: 0,
      signal: abort.signal,
      slice: async (at) => {
        slices++;
        abort.abort(new Error('enough'));
        return { next: at + 1, done: 1 };
      },
    });
    expect(work).rejects.toThrow('enough');
    expect(slices).toBe(1);
  });
});

test.each([
  [64, 0.5, 96],
  [400, 0.5, 400],
  [200, 3, 200],
  [200, 9, 100],
  [1, 900, 1],
])('after %d rows in %d ms come %d', (size, ms, next) => {
  expect(nextSize(size, ms)).toBe(next);
});
