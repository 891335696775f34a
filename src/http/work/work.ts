/** Takes `N` and yields `O`; the first `N` is not seen. */
export type Steps<O, N> = Generator<O, void, N> | AsyncGenerator<O, void, N>;

/**
 * Work that would hold up the thread that answers HTTP, as a generator: it yields its result in small pieces, because
 * each piece costs that thread the time to copy it. `I`, `O` and `N` are structured-cloneable.
 */
export type Work<I = unknown, O = unknown, N = void> = {
  /** `noun.verb`. */
  readonly name: string;
  // A method: its parameters are compared both ways, so that works of any input fit in one list.
  run(input: I): Steps<O, N>;
};

/** Work of any type, as a manifest lists it. */
export type AnyWork = Work<never, unknown, never>;

/** Work in progress. */
export type Running<O, N> = {
  /** The next piece, `undefined` after the last. Rejects with the error of the work. One call at a time. */
  next(value: N): Promise<O | undefined>;
  /** Ends the work early. It may be called at any time. */
  stop(): void;
};

/** Runs work, on a thread of its own if there is one. */
export type Workers = {
  /** @param transfer buffers in `input` that are handed over instead of copied */
  start<I, O, N>(work: Work<I, O, N>, input: I, transfer?: ArrayBuffer[]): Running<O, N>;
  close(): void;
};

/** Runs a generator on this thread. */
export const runHere = <O, N>(steps: Steps<O, N>): Running<O, N> => ({
  next: async (value) => (await steps.next(value)).value ?? undefined,
  stop: () => void steps.return(),
});

/** Runs all work on this thread, for commands. */
export const inlineWorkers: Workers = { start: (work, input) => runHere(work.run(input)), close: () => {} };
