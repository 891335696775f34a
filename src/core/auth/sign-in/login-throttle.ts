import { rateLimited } from '../../../errors.ts';
import { createFailureLog } from '../../../lib/failure-log.ts';

/** Counts sign-ins that fail, under several keys at a time. */
export type LoginThrottle = {
  /**
   * Runs `work` unless one of the counts is full; `work` says whether the attempt was right. Attempts that
   * could together go over a count wait for each other, so that a flood of guesses learns no more than
   * as many as one after the other.
   * @throws AppError 429
   */
  attempt<T>(of: { email: string; address: string }, work: () => Promise<T | null>): Promise<T | null>;
};

const WINDOW_MS = 15 * 60_000;
const MAX_KEYS = 100_000;
/** Failures in 15 minutes. Per account it is wide, or else a stranger could lock a person out. */
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

  /** Everybody who waits looks again: after a failure they may all have to go. */
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
