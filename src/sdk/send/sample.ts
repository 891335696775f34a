/**
 * Maps a trace id to a number between 0 and 1: FNV-1a over the id, then the finaliser of MurmurHash3, as a fraction
 * of 2^32. It depends only on the id, so all processes decide alike and a trace is sent completely or not at all.
 */
export const traceFraction = (traceId: string): number => {
  let hash = 0x811c9dc5;
  for (let i = 0; i < traceId.length; i++) hash = Math.imul(hash ^ traceId.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
};

/**
 * Whether a trace is sent at a rate from 0 to 1. Failed calls are sampled too: keeping all of them would distort
 * every error rate and leave spans without their trace.
 */
export const isSampled = (traceId: string, rate: number): boolean =>
  rate >= 1 || traceFraction(traceId) < rate;
