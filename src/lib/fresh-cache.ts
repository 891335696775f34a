/** A cache of loaded values with a time to live. */
export type FreshCache<T> = {
  /** The value, loaded if it is missing or too old. Rejects as `load` does; failures are not cached. */
  get(key: string): Promise<T>;
  /** Drops one value, or all. Loads that are running are not cached either. */
  drop(key?: string): void;
};

/** With `ttlMs` 0 nothing is cached, but concurrent loads are still shared. */
export type FreshCacheOptions<T> = {
  readonly ttlMs: number;
  readonly maxKeys: number;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly load: (key: string) => Promise<T>;
};

/**
 * Caches the results of `load` for at most `ttlMs`, the newest `maxKeys` of them. Concurrent requests for a key
 * share one load. A clock that steps back makes values stale, never fresh, and a drop also affects loads in
 * progress; a plain cache does neither.
 */
export const createFreshCache = <T>(options: FreshCacheOptions<T>): FreshCache<T> => {
  const { ttlMs, maxKeys, now } = options;
  const entries = new Map<string, { readonly value: T; readonly at: number }>();
  const loading = new Map<string, Promise<T>>();
  let generation = 0;

  const keep = (key: string, value: T, at: number): void => {
    entries.delete(key);
    const oldest = entries.size >= maxKeys ? entries.keys().next().value : undefined;
    if (oldest !== undefined) entries.delete(oldest);
    entries.set(key, { value, at });
  };

  const load = async (key: string): Promise<T> => {
    const started = generation;
    const at = now();
    const value = await options.load(key);
    // If the key was dropped during the load, the value may predate the change that caused the drop.
    if (generation === started && ttlMs > 0) keep(key, value, at);
    return value;
  };

  const get = (key: string): Promise<T> => {
    const entry = entries.get(key);
    const age = entry === undefined ? -1 : now() - entry.at;
    if (entry !== undefined && age >= 0 && age < ttlMs) return Promise.resolve(entry.value);
    const running = loading.get(key);
    if (running !== undefined) return running;
    const started = load(key).finally(() => {
      if (loading.get(key) === started) loading.delete(key);
    });
    loading.set(key, started);
    return started;
  };

  const drop = (key?: string): void => {
    generation++;
    loading.clear();
    if (key === undefined) entries.clear();
    else entries.delete(key);
  };

  return { get, drop };
};
