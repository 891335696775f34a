/** Counts recent failures by key. */
export type FailureLog = {
  /** Failures of `key` in the window that ends at `now` (epoch milliseconds). */
  count(key: string, now: number): number;
  /** The last of them in epoch milliseconds; null if there is none. */
  last(key: string, now: number): number | null;
  /** Whole seconds until `key` may fail again, at least 1; null while it may. */
  retryAfter(key: string, now: number): number | null;
  add(key: string, now: number): void;
};

/**
 * Remembers the last `limit` failures of each key over `windowMs`. Unlike a rate limit it counts only failures, so
 * successful callers are never throttled. Beyond `maxKeys` keys, the keys that failed longest ago are forgotten.
 */
export const createFailureLog = (options: {
  readonly limit: number;
  readonly windowMs: number;
  readonly maxKeys: number;
}): FailureLog => {
  const { limit, windowMs, maxKeys } = options;
  // A plain Map in the order of the last failure. An LRU cache would renew keys on reads and allocate `maxKeys` places.
  const failures = new Map<string, number[]>();

  /** If the clock steps back, a failure in the future still counts, so that nothing unlocks early. */
  const recent = (key: string, now: number): number[] =>
    (failures.get(key) ?? []).filter((time) => time + windowMs > now);

  return {
    count: (key, now) => recent(key, now).length,
    last: (key, now) => recent(key, now).at(-1) ?? null,
    retryAfter: (key, now) => {
      const times = recent(key, now);
      const first = times[0];
      if (first === undefined || times.length < limit) return null;
      return Math.max(1, Math.ceil((first + windowMs - now) / 1000));
    },
    add: (key, now) => {
      const times = [...recent(key, now), now].slice(-limit);
      failures.delete(key);
      const oldest = failures.size >= maxKeys ? failures.keys().next().value : undefined;
      if (oldest !== undefined) failures.delete(oldest);
      failures.set(key, times);
    },
  };
};
