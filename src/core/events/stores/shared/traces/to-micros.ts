/** Rounds, because a double of epoch milliseconds is exact only to a fraction of a microsecond. */
export const toMicros = (ms: number): number => Math.round(ms * 1_000) / 1_000;
