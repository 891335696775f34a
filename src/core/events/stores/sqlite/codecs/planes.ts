import { checkLength, headerOf } from './frame.ts';
import { compressIfWorth, decompress } from './zstd.ts';

/** Bytes per plane in the header: twice the stored length, plus 1 if the plane is compressed, little-endian. */
const HEADER = 4;

/**
 * Joins byte planes (all first bytes of the values, all second bytes, …) of one length. Each plane is compressed
 * on its own where that pays: low planes often look random and stay as they are.
 */
export function joinPlanes(planes: readonly Uint8Array<ArrayBuffer>[]): Uint8Array {
  const compressed = planes.map(compressIfWorth);
  const bodies = planes.map((plane, p) => compressed[p] ?? plane);
  const joined = new Uint8Array(bodies.reduce((sum, body) => sum + body.length, planes.length * HEADER));
  const header = new DataView(joined.buffer);
  let at = planes.length * HEADER;
  for (const [p, body] of bodies.entries()) {
    header.setUint32(p * HEADER, body.length * 2 + (compressed[p] ? 1 : 0), true);
    joined.set(body, at);
    at += body.length;
  }
  return joined;
}

/**
 * Splits `planes` planes of `count` bytes each. A plane that is not compressed is a view on `bytes`.
 *
 * @throws {DamagedBlob} if the bytes do not hold such planes
 */
export function splitPlanes(bytes: Uint8Array, planes: number, count: number): Uint8Array[] {
  const header = headerOf(bytes, planes * HEADER);
  const sizes = Array.from({ length: planes }, (_, p) => header.getUint32(p * HEADER, true));
  checkLength(
    bytes,
    sizes.reduce((sum, size) => sum + (size >>> 1), planes * HEADER),
  );
  let at = planes * HEADER;
  return sizes.map((size) => {
    const body = bytes.subarray(at, at + (size >>> 1));
    at += size >>> 1;
    const plane = size & 1 ? decompress(body) : body;
    checkLength(plane, count);
    return plane;
  });
}

/** The planes of whole numbers, the lowest byte first. */
export const planesOfWords = (words: Uint32Array, planes: number): Uint8Array<ArrayBuffer>[] =>
  Array.from({ length: planes }, (_, p) => {
    const plane = new Uint8Array(words.length);
    for (let i = 0; i < words.length; i++) plane[i] = (words[i] as number) >>> (p * 8);
    return plane;
  });

/** The eight planes of doubles, the lowest byte of the mantissa first. */
export function planesOfDoubles(values: Float64Array): Uint8Array<ArrayBuffer>[] {
  const halves = new Uint32Array(values.slice().buffer);
  return [0, 1].flatMap((half) =>
    planesOfWords(
      halves.filter((_, i) => (i & 1) === half),
      4,
    ),
  );
}

/** Puts doubles together from their eight planes. */
export function doublesOfPlanes(planes: readonly Uint8Array[], count: number): Float64Array {
  const values = new Float64Array(count);
  const halves = new Uint32Array(values.buffer);
  setWords(halves, 0, planes.slice(0, 4));
  setWords(halves, 1, planes.slice(4));
  return values;
}

/** Sets every second word, from `first` on. */
function setWords(words: Uint32Array, first: number, planes: readonly Uint8Array[]): void {
  const [a, b, c, d] = planes as readonly [Uint8Array, Uint8Array, Uint8Array, Uint8Array];
  for (let i = 0; i < a.length; i++)
    words[first + 2 * i] =
      (a[i] as number) | ((b[i] as number) << 8) | ((c[i] as number) << 16) | ((d[i] as number) << 24);
}
