/** What `createGate` makes. */
export type Gate = {
  /** Runs `work` as soon as there is room, in the order of asking. Rejects with `full()` when too many wait. */
  run<T>(work: () => Promise<T>): Promise<T>;
};

/**
 * Lets at most `running` pieces of work run at a time and at most `waiting` more wait, so that costly work
 * can't take all memory and processors.
 * @param options.full makes the error for what finds no place
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

  /** The place goes straight to whoever waits longest: `running` stays as it is. */
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
