/** Upper bounds of the bins in seconds: from a cached reply to a query at its deadline. */
export const DURATION_BOUNDS = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
] as const;

/** How often each bin was hit, the last one for what is longer than all bounds; all durations and their sum. */
export type DurationCounts = {
  readonly bins: readonly number[];
  readonly count: number;
  readonly seconds: number;
};

export type Durations = { observe(seconds: number): void; read(): DurationCounts };

/** Counts durations in fixed bins, which takes a few hundred bytes however many there are. */
export function createDurations(): Durations {
  const bins = Array.from({ length: DURATION_BOUNDS.length + 1 }, () => 0);
  let [count, sum] = [0, 0];
  return {
    observe(seconds) {
      const found = DURATION_BOUNDS.findIndex((bound) => seconds <= bound);
      const bin = found === -1 ? DURATION_BOUNDS.length : found;
      bins[bin] = (bins[bin] ?? 0) + 1;
      count++;
      sum += seconds;
    },
    read: () => ({ bins: [...bins], count, seconds: sum }),
  };
}
