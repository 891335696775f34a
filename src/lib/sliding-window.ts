/** The outcome of one hit. `retryAfterSeconds` is a whole number, at least 1, and never too early. */
export type WindowHit =
  | { readonly ok: true; readonly remaining: number }
  | { readonly ok: false; readonly retryAfterSeconds: number };

/** A sliding-window rate limiter. */
export type SlidingWindow = {
  /** Requests one hit for `key` at `now` (epoch milliseconds). A rejected hit is not counted. */
  readonly hit: (key: string, now: number) => WindowHit;
  /** Number of keys in memory. */
  readonly size: () => number;
};

/**
 * `maxKeys` limits the memory: at most 8 × `limit` bytes plus about 200 per key. `whenFull`: `refuse` (default) refuses
 * new keys, for keys that a caller has to own; `forget` forgets the key that was used least recently, for keys that
 * anybody can make up, such as addresses: refusing would let one sender lock out all others.
 */
export type SlidingWindowOptions = {
  readonly limit: number;
  readonly windowMs: number;
  readonly maxKeys: number;
  readonly whenFull?: 'refuse' | 'forget';
};

/** The accepted hits of a key in the window, oldest first, in a growing ring buffer. */
type Log = { times: Float64Array; head: number; count: number; newest: number };

const FIRST_CAPACITY = 8;
/** Idle keys checked per hit. More than one, so that keys leave faster than they arrive. */
const SWEEP = 2;

const emptyLog = (limit: number): Log => ({
  times: new Float64Array(Math.min(limit, FIRST_CAPACITY)),
  head: 0,
  count: 0,
  newest: Number.NEGATIVE_INFINITY,
});

const oldest = (log: Log): number => log.times[log.head] ?? Number.NEGATIVE_INFINITY;

const dropExpired = (log: Log, now: number, windowMs: number): void => {
  while (log.count > 0 && oldest(log) + windowMs <= now) {
    log.head = (log.head + 1) % log.times.length;
    log.count--;
  }
};

const append = (log: Log, time: number, limit: number): void => {
  const capacity = log.times.length;
  if (log.count === capacity) {
    const grown = new Float64Array(Math.min(limit, capacity * 2));
    grown.set(log.times.subarray(log.head));
    grown.set(log.times.subarray(0, log.head), capacity - log.head);
    log.times = grown;
    log.head = 0;
  }
  log.times[(log.head + log.count) % log.times.length] = time;
  log.count++;
  log.newest = time;
};

/**
 * An exact sliding-window limiter: it logs accepted hits instead of approximating them with counters. Any period of
 * `windowMs` has at most `limit` accepted hits per key. A hit leaves the window exactly `windowMs` after it was
 * accepted.
 *
 * Keys without hits in the window are forgotten. When `maxKeys` keys are in use, new keys are refused until one of
 * them falls idle, because forgetting an active key would unlock it early; `whenFull` changes that.
 *
 * A clock that steps back unlocks nothing: no hit of a key counts as earlier than the one before.
 * @throws RangeError when an option is not a positive integer.
 */
export const createSlidingWindow = (options: SlidingWindowOptions): SlidingWindow => {
  const { limit, windowMs, maxKeys, whenFull = 'refuse' } = options;
  for (const [name, value] of Object.entries({ limit, windowMs, maxKeys })) {
    if (!Number.isSafeInteger(value) || value < 1) throw new RangeError(`${name} must be a positive integer`);
  }
  // A Map keeps insertion order. Each accepted hit moves its key to the end, so the first key falls idle first. An LRU
  // cache would evict active keys when it is full.
  const logs = new Map<string, Log>();

  const reject = (freeAt: number, now: number): WindowHit => ({
    ok: false,
    retryAfterSeconds: Math.max(1, Math.ceil((freeAt - now) / 1000)),
  });

  const sweep = (now: number): void => {
    let looked = 0;
    for (const [key, log] of logs) {
      if (looked++ === SWEEP || log.newest + windowMs > now) return;
      logs.delete(key);
    }
  };

  const hit = (key: string, now: number): WindowHit => {
    sweep(now);
    let log = logs.get(key);
    if (log === undefined) {
      if (logs.size >= maxKeys) {
        const [first = key, oldestLog] = logs.entries().next().value ?? [];
        if (whenFull === 'refuse') return reject((oldestLog?.newest ?? now) + windowMs, now);
        logs.delete(first);
      }
      log = emptyLog(limit);
    } else {
      dropExpired(log, now, windowMs);
      if (log.count >= limit) return reject(oldest(log) + windowMs, now);
      logs.delete(key);
    }
    append(log, Math.max(log.newest, now), limit);
    logs.set(key, log);
    return { ok: true, remaining: limit - log.count };
  };

  return { hit, size: () => logs.size };
};
