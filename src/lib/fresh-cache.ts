/** What `createFreshCache` makes. */
export type FreshCache<T> = {
  /** The value, loaded when it is not there or too old. Rejects as `load` does; failures are not kept. */
  get(key: string): Promise<T>;
  /** Forgets one value, or all. What is being loaded at this moment is not kept either. */
  drop(key?: string): void;
};

/** `ttlMs` 0 keeps nothing but still shares loads that run at the same time. */
export type FreshCacheOptions<T> = {
  readonly ttlMs: number;
  readonly maxKeys: number;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly load: (key: string) => Promise<T>;
};

/**
 * Keeps what `load` gave for at most `ttlMs`, the newest `maxKeys` of them. Requests for the same key that
 * come while it is loaded share one load. A clock that steps back makes a value old, never young, and a drop
 * reaches loads in progress: a plain cache does neither.
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
    // Dropped meanwhile: the value may be from before the change that it was dropped for.
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
