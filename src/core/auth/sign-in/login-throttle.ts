import { rateLimited } from '../../../errors.ts';
import { createFailureLog } from '../../../lib/failure-log.ts';

/** Counts failed sign-ins by several keys. */
export type LoginThrottle = {
  /**
   * Runs `work` unless one of the limits is reached; `work` returns whether the attempt succeeded. Attempts that could
   * together exceed a limit wait for each other, so that concurrent guesses gain nothing over sequential ones.
   * @throws AppError 429
   */
  attempt<T>(of: { email: string; address: string }, work: () => Promise<T | null>): Promise<T | null>;
};

const WINDOW_MS = 15 * 60_000;
const MAX_KEYS = 100_000;
/** Failures in 15 minutes. The limit per account is high, so that a stranger cannot easily lock out its owner. */
const LIMITS = { pair: 10, address: 100, account: 100 } as const;

/** @param now epoch milliseconds */
export function createLoginThrottle(now: () => number): LoginThrottle {
  const pair = createCount(LIMITS.pair, now);
  const byAddress = createCount(LIMITS.address, now);
  const byAccount = createCount(LIMITS.account, now);
  return {
    attempt: ({ email, address }, work) =>
      byAddress(address, () => byAccount(email, () => pair(`${address} ${email}`, work))),
  };
}

type Attempt = <T>(key: string, work: () => Promise<T | null>) => Promise<T | null>;

function createCount(limit: number, now: () => number): Attempt {
  const failures = createFailureLog({ limit, windowMs: WINDOW_MS, maxKeys: MAX_KEYS });
  const running = new Map<string, { count: number; waiting: (() => void)[] }>();

  async function enter(key: string): Promise<void> {
    for (;;) {
      const seconds = failures.retryAfter(key, now());
      if (seconds !== null) throw rateLimited(seconds);
      const state = running.get(key) ?? { count: 0, waiting: [] };
      running.set(key, state);
      if (failures.count(key, now()) + state.count < limit) {
        state.count++;
        return;
      }
      const { promise, resolve } = Promise.withResolvers<void>();
      state.waiting.push(resolve);
      await promise;
    }
  }

  /** Wakes all waiting attempts, because a failure may have reached the limit. */
  function leave(key: string): void {
    const state = running.get(key);
    if (state === undefined) return;
    state.count--;
    for (const wake of state.waiting.splice(0)) wake();
    if (state.count === 0) running.delete(key);
  }

  return async (key, work) => {
    await enter(key);
    try {
      const result = await work();
      if (result === null) failures.add(key, now());
      return result;
    } finally {
      leave(key);
    }
  };
}
