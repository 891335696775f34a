/**
 * Where a trace lies between 0 and 1: FNV-1a over its id, then the finaliser of MurmurHash3, as a fraction
 * of 2^32. It depends on the id alone, so every process decides alike and a trace is sent whole or not
 * at all.
 */
export const traceFraction = (traceId: string): number => {
  let hash = 0x811c9dc5;
  for (let i = 0; i < traceId.length; i++) hash = Math.imul(hash ^ traceId.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
};

/**
 * Whether a trace is sent at a rate from 0 to 1. Failed calls are no exception: to keep them all would
 * make every error rate wrong and leave spans without their trace.
 */
export const isSampled = (traceId: string, rate: number): boolean =>
  rate >= 1 || traceFraction(traceId) < rate;
