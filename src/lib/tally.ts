/** Counts what happens too often to write each time. */
export type Tally = {
  /**
   * Counts one occurrence of `key` at `now` (epoch milliseconds).
   * @returns how often it occurred since the last time that this returned a number, if it is to be written now; else null
   */
  add(key: string, now: number): number | null;
};

/**
 * In each window, which begins with the first occurrence, the first `free` occurrences of a key are to be written one by
 * one, then only every tenth, then every hundredth and so on. So a window writes `free` and a few. Beyond `maxKeys` keys,
 * the keys whose windows began first are forgotten.
 */
export function createTally(options: {
  readonly free: number;
  readonly windowMs: number;
  readonly maxKeys: number;
}): Tally {
  const { free, windowMs, maxKeys } = options;
  const states = new Map<string, { endsAt: number; written: number; waiting: number }>();
  return {
    add(key, now) {
      const known = states.get(key);
      const state = known ?? { endsAt: now + windowMs, written: 0, waiting: 0 };
      if (now >= state.endsAt) Object.assign(state, { endsAt: now + windowMs, written: 0 });
      if (known === undefined) {
        const oldest = states.size >= maxKeys ? states.keys().next().value : undefined;
        if (oldest !== undefined) states.delete(oldest);
        states.set(key, state);
      }
      state.waiting++;
      if (state.waiting < 10 ** Math.max(0, state.written - free + 1)) return null;
      const count = state.waiting;
      state.written++;
      state.waiting = 0;
      return count;
    },
  };
}
