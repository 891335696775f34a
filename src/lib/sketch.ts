/**
 * A mergeable histogram of positive values with logarithmic bins (the mapping of DDSketch: Masson, Rim, Lee 2019).
 * Each quantile is within 1 % of the true value. The bins are a dense array, because a percentile over a long
 * window merges thousands of sketches.
 */
export type Sketch = Uint32Array;

const GAMMA = 1.02;
const LOG_GAMMA = Math.log(GAMMA);
/** Counts zero and everything below one unit. */
const ZERO_BIN = 0;
/** Enough for 1.5e13 units: as microseconds, half a year. */
const BINS = 1536;

/** An empty sketch. */
export const createSketch = (): Sketch => new Uint32Array(BINS);

/**
 * Counts one value, in a unit in which 1 is negligibly small (here: microseconds).
 * @param weight -1 subtracts a value, whether it was counted before or will be later
 */
export function addToSketch(sketch: Sketch, value: number, weight: 1 | -1 = 1): void {
  const bin = sketchBin(value);
  sketch[bin] = (sketch[bin] ?? 0) + weight;
}

/** The bin that counts a value, as an index of the sketch. */
export const sketchBin = (value: number): number =>
  value < 1 ? ZERO_BIN : Math.min(BINS - 1, Math.ceil(Math.log(value) / LOG_GAMMA) + 1);

/** The nearest-rank value of quantile `q` in (0, 1], within 1 %; null when nothing was counted. */
export function sketchQuantile(sketch: Sketch, q: number): number | null {
  let total = 0;
  for (const count of sketch) total += count;
  if (total === 0) return null;
  const rank = Math.max(1, Math.ceil(q * total));
  let seen = 0;
  let bin = -1;
  while (seen < rank) seen += sketch[++bin] ?? 0;
  return binValue(bin);
}

/** Counts bins of one sketch after the other in the same memory. */
export type BinCounter = {
  add(bin: number, count: number): void;
  /** As `sketchQuantile` of what was added since the last call. */
  takeQuantile(q: number): number | null;
};

export function createBinCounter(): BinCounter {
  const counts = createSketch();
  let [total, first, last] = [0, BINS, -1];
  return {
    add(bin, count) {
      counts[bin] = (counts[bin] ?? 0) + count;
      total += count;
      if (bin < first) first = bin;
      if (bin > last) last = bin;
    },
    takeQuantile(q) {
      let value: number | null = null;
      if (total > 0) {
        const rank = Math.max(1, Math.ceil(q * total));
        let bin = first;
        for (let seen = counts[bin] ?? 0; seen < rank; seen += counts[++bin] ?? 0);
        value = binValue(bin);
      }
      if (last >= 0) counts.fill(0, first, last + 1);
      [total, first, last] = [0, BINS, -1];
      return value;
    },
  };
}

/** Encodes as pairs of variable-length integers: the distance to the previous bin, and the count. */
export function encodeSketch(sketch: Sketch): Uint8Array {
  const bytes: number[] = [];
  let previous = 0;
  for (let bin = 0; bin < BINS; bin++) {
    const count = sketch[bin] ?? 0;
    if (count === 0) continue;
    writeVarint(bytes, bin - previous);
    writeVarint(bytes, count);
    previous = bin;
  }
  return Uint8Array.from(bytes);
}

/** Decodes the bytes of `encodeSketch` and adds them to `into`. */
export function decodeSketch(bytes: Uint8Array, into: Sketch = createSketch()): Sketch {
  let at = 0;
  let bin = 0;
  const read = (): number => {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = bytes[at++] ?? 0;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 128;
    }
  };
  while (at < bytes.length) {
    // Nearly all numbers have one byte.
    const first = bytes[at] as number;
    bin += first < 0x80 ? first : read();
    if (first < 0x80) at++;
    const second = bytes[at] as number;
    into[bin] = (into[bin] as number) + (second < 0x80 ? second : read());
    if (second < 0x80) at++;
  }
  return into;
}

const binValue = (bin: number): number => (bin === ZERO_BIN ? 0 : (2 * GAMMA ** (bin - 1)) / (GAMMA + 1));

/** The value that each bin stands for, within 1 % of those that it counts. */
export const SKETCH_VALUES: readonly number[] = Array.from({ length: BINS }, (_, bin) => binValue(bin));

function writeVarint(bytes: number[], value: number): void {
  let rest = value;
  while (rest >= 128) {
    bytes.push((rest % 128) | 0x80);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
}
