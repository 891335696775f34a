/**
 * When the sessions of a chunk have events: the hash of the session of each event and the event's time, place
 * by place. Session ids come in no order and are many: an index of them would take eight times as much.
 */
export type SessionPostings = { readonly hashes: number[]; readonly times: number[] };

/** More than a chunk has events, even where one batch overfills it. */
const PLACES = 2 ** 20;

/** 32 bits of a session id; two ids may share them, so what is found is to be checked. */
export const sessionHash = (sessionId: string): number => Bun.hash.xxHash32(sessionId, 2);

/** The first time (8 bytes), how many postings and the width of a time (4 and 4), then times and hashes. */
const HEADER = 16;

/** Times are kept as 4 bytes after the first of all, as 8 where that is too little (50 days). */
export function encodePostings({ hashes, times }: SessionPostings): Uint8Array {
  const count = hashes.length;
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const ts of times) {
    if (ts < first) first = ts;
    if (ts > last) last = ts;
  }
  // The hash and the place in one number: sorted as such, which takes a tenth of the time of a comparison.
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

/** The times at which sessions of that hash have events, in epoch milliseconds. */
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
