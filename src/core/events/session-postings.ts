/**
 * When the sessions of a chunk have events: the hash of the session of each event and the event's time,
 * ascending by hash. Session ids come in no order and are many: an index of them would take eight times
 * as much.
 */
export type SessionPosting = { readonly hash: number; readonly ts: number };

/** 32 bits of a session id; two ids may share them, so what is found is to be checked. */
export const sessionHash = (sessionId: string): number => Bun.hash.xxHash32(sessionId, 2);

/** The first time (8 bytes), how many postings and the width of a time (4 and 4), then times and hashes. */
const HEADER = 16;

/** Times are kept as 4 bytes after the first of all, as 8 where that is too little (50 days). */
export function encodePostings(postings: readonly SessionPosting[]): Uint8Array {
  const sorted = postings.toSorted((a, b) => a.hash - b.hash || a.ts - b.ts);
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { ts } of sorted) [first, last] = [Math.min(first, ts), Math.max(last, ts)];
  const width = last - first < 2 ** 32 ? 4 : 8;
  const blob = new Uint8Array(HEADER + sorted.length * (width + 4));
  new Float64Array(blob.buffer, 0, 1)[0] = first;
  new Uint32Array(blob.buffer, 8, 2).set([sorted.length, width]);
  const { offsets, hashes } = viewsOf(blob.buffer);
  for (const [i, { hash, ts }] of sorted.entries()) {
    offsets[i] = ts - first;
    hashes[i] = hash;
  }
  return blob;
}

function viewsOf(blob: ArrayBuffer): { offsets: Uint32Array | Float64Array; hashes: Uint32Array } {
  const [count = 0, width = 4] = new Uint32Array(blob, 8, 2);
  const offsets = width === 8 ? new Float64Array(blob, HEADER, count) : new Uint32Array(blob, HEADER, count);
  return { offsets, hashes: new Uint32Array(blob, HEADER + count * width, count) };
}

/** The times at which sessions of that hash have events, in epoch milliseconds, ascending. */
export function findPostings(blob: ArrayBuffer, hash: number): number[] {
  const [first = 0] = new Float64Array(blob, 0, 1);
  const { offsets, hashes } = viewsOf(blob);
  let [low, high] = [0, hashes.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((hashes[middle] ?? 0) < hash) low = middle + 1;
    else high = middle;
  }
  const times: number[] = [];
  for (let i = low; hashes[i] === hash; i++) times.push(first + (offsets[i] ?? 0));
  return times;
}
