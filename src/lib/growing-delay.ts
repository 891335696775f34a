/** Delays repeated attempts by key, longer after each one. */
export type GrowingDelay = {
  /**
   * Counts an attempt at `now` (epoch milliseconds). Returns null if it may be made, otherwise the whole seconds to
   * wait; a refused attempt is not counted.
   */
  take(key: string, now: number): number | null;
  /** Whether the last attempt of a key used up the free ones; false for earlier and later ones. */
  usedUp(key: string): boolean;
  /** Forgets the attempts of a key, after a success. */
  clear(key: string): void;
};

/**
 * Allows `free` attempts at once; then each next one has to wait `firstMs`, twice that, four times that, at most
 * `maxMs`. A key without attempts for `forgetMs` starts again. An attempt counts before its outcome is known, so that
 * concurrent guesses gain nothing. Beyond `maxKeys` keys, those tried longest ago are forgotten.
 */
export const createGrowingDelay = (options: {
  readonly free: number;
  readonly firstMs: number;
  readonly maxMs: number;
  readonly forgetMs: number;
  readonly maxKeys: number;
}): GrowingDelay => {
  const { free, firstMs, maxMs, forgetMs, maxKeys } = options;
  const attempts = new Map<string, { readonly count: number; readonly at: number }>();

  const waitAfter = (count: number): number =>
    count < free ? 0 : Math.min(maxMs, firstMs * 2 ** Math.min(count - free, 30));

  return {
    take: (key, now) => {
      const known = attempts.get(key);
      const last = known !== undefined && now < known.at + forgetMs ? known : { count: 0, at: now };
      const waitMs = last.at + waitAfter(last.count) - now;
      if (waitMs > 0) return Math.ceil(waitMs / 1000);
      attempts.delete(key);
      const oldest = attempts.size >= maxKeys ? attempts.keys().next().value : undefined;
      if (oldest !== undefined) attempts.delete(oldest);
      attempts.set(key, { count: last.count + 1, at: now });
      return null;
    },
    usedUp: (key) => attempts.get(key)?.count === free,
    clear: (key) => {
      attempts.delete(key);
    },
  };
};
