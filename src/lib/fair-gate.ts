import { createFairQueue } from './fair-queue.ts';

/** Limits the concurrency of expensive work of several owners. */
export type FairGate = {
  /** Runs `work` in a free place; waits for one if there is room to wait. Rejects with `refuse()` otherwise. */
  run<T>(owner: string, work: () => Promise<T>): Promise<T>;
  /**
   * Like `run` for work that outlives a call: resolves in a free place. Call the result when the work is done. `signal`
   * ends the wait.
   */
  enter(owner: string, signal?: AbortSignal): Promise<() => void>;
  /** Seconds until a further piece of work of the owner gets a place, as far as recent work shows; at least 1. */
  seconds(owner: string): number;
};

/** `each` limits one owner; it should be below the total, so that one owner cannot take all places. */
export type FairGateOptions = {
  readonly running: { readonly total: number; readonly each: number };
  readonly waiting: { readonly total: number; readonly each: number };
  /** The error for refused work; `seconds` as of the method. */
  readonly refuse: (seconds: number, by: 'owner' | 'total') => Error;
};

type Waiting = { isOut: boolean; start(): void };

/** Weight of the last duration in the average. */
const NEWEST = 0.25;
const MOST_SECONDS = 60;

/**
 * Runs work of the owner who was served least first. `each` owner has own limits, so that the work of one neither fills
 * the places nor the queue.
 */
export function createFairGate({ running, waiting, refuse }: FairGateOptions): FairGate {
  const queue = createFairQueue<Waiting>();
  const active = new Map<string, number>();
  let count = 0;
  let averageMs = 0;
  const activeOf = (owner: string): number => active.get(owner) ?? 0;
  const hasPlace = (owner: string): boolean => count < running.total && activeOf(owner) < running.each;

  /** The places ahead of a further piece of work, in rounds of the average duration. */
  function secondsUntilFree(owner: string): number {
    const own = (activeOf(owner) + queue.count(owner)) / running.each;
    const all = (count + queue.size) / running.total;
    return Math.min(MOST_SECONDS, Math.max(1, Math.ceil((Math.max(own, all) * averageMs) / 1_000)));
  }

  async function admit(owner: string, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (queue.count(owner) === 0 && hasPlace(owner)) {
      occupy(owner);
      return;
    }
    if (queue.count(owner) >= waiting.each) throw refuse(secondsUntilFree(owner), 'owner');
    if (queue.size >= waiting.total) throw refuse(secondsUntilFree(owner), 'total');
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const entry: Waiting = {
      isOut: false,
      start: () => {
        occupy(owner);
        resolve();
      },
    };
    const onAbort = (): void => {
      entry.isOut = true;
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    queue.add(owner, entry);
    await promise.finally(() => signal?.removeEventListener('abort', onAbort));
  }

  function occupy(owner: string): void {
    count++;
    active.set(owner, activeOf(owner) + 1);
  }

  function leave(owner: string, ms: number): void {
    count--;
    averageMs = averageMs === 0 ? ms : averageMs + NEWEST * (ms - averageMs);
    const left = activeOf(owner) - 1;
    if (left === 0) active.delete(owner);
    else active.set(owner, left);
    while (count < running.total) {
      const next = queue.take((candidate) => activeOf(candidate) < running.each);
      if (next === undefined) return;
      if (!next.isOut) next.start();
    }
  }

  async function enter(owner: string, signal?: AbortSignal): Promise<() => void> {
    await admit(owner, signal);
    const since = performance.now();
    let isDone = false;
    return () => {
      if (isDone) return;
      isDone = true;
      leave(owner, performance.now() - since);
    };
  }

  return {
    enter,
    seconds: secondsUntilFree,
    async run(owner, work) {
      const done = await enter(owner);
      try {
        return await work();
      } finally {
        done();
      }
    },
  };
}
