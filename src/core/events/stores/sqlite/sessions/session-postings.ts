/**
 * Postings of a chunk's sessions: for each event, the hash of its session and its time. Session ids are numerous and
 * arrive in random order; an index of them would be eight times as large.
 */
export type SessionPostings = { readonly hashes: number[]; readonly times: number[] };

/** Greater than the number of events in any chunk, including overfilled ones. */
const PLACES = 2 ** 20;

/** A 32-bit hash of a session id. Hashes can collide; verify each hit. */
export const sessionHash = (sessionId: string): number => Bun.hash.xxHash32(sessionId, 2);

/** Header: first time (8 bytes), number of postings (4) and width of a time (4); then times and hashes. */
const HEADER = 16;

/** Times are 4-byte offsets from the first time, or 8 bytes if they span more than 50 days. */
export function encodePostings({ hashes, times }: SessionPostings): Uint8Array {
  const count = hashes.length;
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const ts of times) {
    if (ts < first) first = ts;
    if (ts > last) last = ts;
  }
  // Combines hash and index in one number, because sorting numbers takes a tenth of the time of a comparator.
  const order = new Float64Array(count);
  for (let i = 0; i < count; i++) order[i] = (hashes[i] as number) * PLACES + i;
  order.sort();
  const width = last - first < 2 ** 32 ? 4 : 8;
  const blob = new Uint8Array(HEADER + count * (width + 4));
  new Float64Array(blob.buffer, 0, 1)[0] = first;
  new Uint32Array(blob.buffer, 8, 2).set([count, width]);
  const views = viewsOf(blob.buffer);
  for (let i = 0; i < count; i++) {
    const place = (order[i] as number) % PLACES;
    views.hashes[i] = hashes[place] as number;
    views.offsets[i] = (times[place] as number) - first;
  }
  return blob;
}

function viewsOf(blob: ArrayBuffer): { offsets: Uint32Array | Float64Array; hashes: Uint32Array } {
  const [count = 0, width = 4] = new Uint32Array(blob, 8, 2);
  const offsets = width === 8 ? new Float64Array(blob, HEADER, count) : new Uint32Array(blob, HEADER, count);
  return { offsets, hashes: new Uint32Array(blob, HEADER + count * width, count) };
}

/** The times at which sessions with this hash have events, in epoch milliseconds. */
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
