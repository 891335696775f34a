import { rateLimited } from '../../../errors.ts';
import { createFailureLog } from '../../../lib/failure-log.ts';

/** Whose attempt it is: the account as it is named, and the group of the network address. */
export type Attempted = { readonly email: string; readonly address: string };

/** Slows down guessing, by the failures of the last 15 minutes. */
export type LoginThrottle = {
  /**
   * Runs `work` unless an earlier failure still delays it; `work` returns whether the attempt succeeded. Attempts that
   * could together exceed the free ones wait for each other, so that concurrent guesses gain nothing over sequential
   * ones.
   * @throws AppError 429 that says how long to wait
   */
  attempt<T>(of: Attempted, work: () => Promise<T | null>): Promise<T | null>;
};

const WINDOW_MS = 15 * 60_000;
const MAX_KEYS = 100_000;

/** `free` failures cost nothing; each further one doubles the delay, from a second to `longestMs`. */
type Pace = { readonly free: number; readonly longestMs: number };

const PAIR: Pace = { free: 10, longestMs: 60_000 };
/** Over all addresses of an account, or all accounts of an address: these also delay people who did nothing wrong. */
const WIDE: Pace = { free: 100, longestMs: 10_000 };

/**
 * An account at an address has a delay of its own. Two wider ones stop guessing from many addresses and at many
 * accounts; they spare whoever is signed in to that account at that address, so that nobody's failures keep the owner out.
 * @param now epoch milliseconds
 * @param isKnown whether the account has a login session from that address
 */
export function createLoginThrottle(
  now: () => number,
  isKnown: (of: Attempted) => Promise<boolean>,
): LoginThrottle {
  const pair = createDelay(PAIR, now);
  const byAddress = createDelay(WIDE, now);
  const byAccount = createDelay(WIDE, now);
  return {
    attempt: async (of, work) => {
      const { email, address } = of;
      const inPair = () => pair.attempt(`${address} ${email}`, work);
      const isSlow = byAddress.isSlow(address) || byAccount.isSlow(email);
      if (isSlow && (await isKnown(of))) return inPair();
      return byAddress.attempt(address, () => byAccount.attempt(email, inPair));
    },
  };
}

type Delay = {
  /** Whether the free failures are used up. */
  isSlow(key: string): boolean;
  attempt<T>(key: string, work: () => Promise<T | null>): Promise<T | null>;
};

function createDelay({ free, longestMs }: Pace, now: () => number): Delay {
  const doublings = Math.ceil(Math.log2(longestMs / 1000));
  const failures = createFailureLog({ limit: free + doublings, windowMs: WINDOW_MS, maxKeys: MAX_KEYS });
  const running = new Map<string, { count: number; waiting: (() => void)[] }>();

  const isSlow = (key: string): boolean => failures.count(key, now()) >= free;

  /** Milliseconds until the next attempt. */
  function delayOf(key: string): number {
    const beyond = failures.count(key, now()) - free;
    const last = failures.last(key, now());
    if (beyond < 0 || last === null) return 0;
    return Math.max(0, last + Math.min(longestMs, 1000 * 2 ** beyond) - now());
  }

  async function enter(key: string): Promise<void> {
    for (;;) {
      const delay = delayOf(key);
      if (delay > 0) throw rateLimited(Math.ceil(delay / 1000));
      const state = running.get(key) ?? { count: 0, waiting: [] };
      running.set(key, state);
      if (state.count === 0 || failures.count(key, now()) + state.count < free) {
        state.count++;
        return;
      }
      const { promise, resolve } = Promise.withResolvers<void>();
      state.waiting.push(resolve);
      await promise;
    }
  }

  /** Wakes all waiting attempts, because a failure may have delayed them. */
  function leave(key: string): void {
    const state = running.get(key);
    if (state === undefined) return;
    state.count--;
    for (const wake of state.waiting.splice(0)) wake();
    if (state.count === 0) running.delete(key);
  }

  return {
    isSlow,
    attempt: async (key, work) => {
      await enter(key);
      try {
        const result = await work();
        if (result === null) failures.add(key, now());
        return result;
      } finally {
        leave(key);
      }
    },
  };
}
