/**
 * Whether a trace is in a sample: decided by its id alone, so that all of its spans are, whenever they arrive, and a
 * smaller sample is part of a larger one.
 * @param sampleRate 0 to 1
 */
export const isSampled = (traceId: string, sampleRate: number): boolean =>
  Bun.hash.xxHash32(traceId) / 2 ** 32 < sampleRate;
