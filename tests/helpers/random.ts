/**
 * The seed of this run's random tests: TEST_SEED, or another one each time. `tests/preload.ts` prints it, and
 * gives it to fast-check too.
 */
export const TEST_SEED = Number(process.env.TEST_SEED ?? Math.trunc(performance.timeOrigin) % 2 ** 31);

/** Numbers in [0, 1), the same for the same seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Whole numbers from 0 to below `max`, from the run's seed. Each caller has a sequence of its own. */
export function randomBelow(): (max: number) => number {
  const random = createRandom(TEST_SEED);
  return (max) => Math.floor(random() * max);
}
