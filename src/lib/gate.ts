/** Limits concurrency. */
export type Gate = {
  /** Runs `work` when a slot is free, first come first served. Rejects with `full()` when the queue is full. */
  run<T>(work: () => Promise<T>): Promise<T>;
};

/**
 * Runs at most `running` pieces of work at a time and queues at most `waiting` more, so that expensive work cannot
 * take all memory and processors.
 * @param options.full creates the error for work that is refused
 */
export const createGate = (options: { running: number; waiting: number; full: () => Error }): Gate => {
  const queue: (() => void)[] = [];
  let running = 0;

  const enter = (): Promise<void> => {
    if (running < options.running) {
      running++;
      return Promise.resolve();
    }
    if (queue.length >= options.waiting) return Promise.reject(options.full());
    const { promise, resolve } = Promise.withResolvers<void>();
    queue.push(resolve);
    return promise;
  };

  /** Hands the slot to the longest-waiting work, so `running` does not change. */
  const leave = (): void => {
    const next = queue.shift();
    if (next === undefined) running--;
    else next();
  };

  return {
    run: async (work) => {
      await enter();
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
};
