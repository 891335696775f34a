import { type BitWidth, bitsAt, isBitWidth, packBits, unpackBits } from './bits.ts';
import { checkLength, headerOf } from './frame.ts';
import { doublesOfPlanes, joinPlanes, planesOfDoubles, planesOfWords, splitPlanes } from './planes.ts';

/**
 * Header: bits per value (1 byte), flags (1 byte), 6 unused bytes, and the base, a little-endian double. The body
 * follows.
 */
const HEADER = 16;
const CONSTANT = 0;
const DOUBLES = 64;
/** The number 0 is null, and all others are one greater. */
const WITH_NULLS = 1;
const THOUSANDTHS = 2;

/** The values, times `scale`, are whole numbers from `low` to `low + range`; `nulls` is 1 where some are null. */
interface Whole {
  readonly scale: 1 | 1000;
  readonly low: number;
  readonly range: number;
  readonly nulls: 0 | 1;
}

/**
 * Encodes numbers, NaN for null, in the smallest of these forms: one constant; whole numbers, or whole
 * thousandths, above a base in 1, 2 or 4 bits or 1 to 4 bytes; doubles. Whole bytes are stored as byte planes,
 * compressed where that pays. Every double comes back bit for bit.
 */
export function encodeNumbers(values: Float64Array): Uint8Array {
  const first = values[0] ?? Number.NaN;
  if (values.every((value) => Object.is(value, first))) return column(CONSTANT, 0, first, new Uint8Array());
  const whole = wholeIn(values, 1) ?? wholeIn(values, 1000);
  if (!whole) return column(DOUBLES, 0, 0, joinPlanes(planesOfDoubles(values)));
  const { scale, low, range, nulls } = whole;
  const width = widthOf(range + nulls);
  const offsets = offsetsOf(values, whole);
  return column(
    width,
    (nulls ? WITH_NULLS : 0) | (scale === 1000 ? THOUSANDTHS : 0),
    low - nulls,
    isBitWidth(width) ? packBits(offsets, width) : joinPlanes(planesOfWords(offsets, width / 8)),
  );
}

function column(width: number, flags: number, base: number, body: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(HEADER + body.length);
  bytes[0] = width;
  bytes[1] = flags;
  new DataView(bytes.buffer).setFloat64(8, base, true);
  bytes.set(body, HEADER);
  return bytes;
}

/** Undefined where a value is no whole number of `1 / scale`, or where they span more than 32 bits. */
function wholeIn(values: Float64Array, scale: 1 | 1000): Whole | undefined {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  let nulls: 0 | 1 = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    if (Number.isNaN(value)) {
      nulls = 1;
      continue;
    }
    const whole = Math.round(value * scale);
    if (whole / scale !== value || !Number.isSafeInteger(whole) || Object.is(value, -0)) return undefined;
    if (whole < low) low = whole;
    if (whole > high) high = whole;
  }
  const range = high - low;
  return range + nulls < 2 ** 32 ? { scale, low, range, nulls } : undefined;
}

function offsetsOf(values: Float64Array, { scale, low, nulls }: Whole): Uint32Array {
  const offsets = new Uint32Array(values.length);
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number;
    if (!Number.isNaN(value)) offsets[i] = Math.round(value * scale) - low + nulls;
  }
  return offsets;
}

/** Bits per value for whole numbers from 0 to `most`. */
const widthOf = (most: number): number => [1, 2, 4, 8, 16, 24].find((width) => most < 2 ** width) ?? 32;

/**
 * Decodes `count` numbers that `encodeNumbers` encoded.
 *
 * @param into where they go: an array of this length
 * @throws {DamagedBlob} if the bytes do not hold `count` numbers
 */
export function decodeNumbers(
  bytes: Uint8Array,
  count: number,
  into: Float64Array = new Float64Array(count),
): Float64Array {
  const header = headerOf(bytes, HEADER);
  const width = header.getUint8(0);
  const flags = header.getUint8(1);
  const base = header.getFloat64(8, true);
  const body = bytes.subarray(HEADER);
  if (width === CONSTANT) return into.fill(base);
  if (width === DOUBLES) {
    into.set(doublesOfPlanes(splitPlanes(body, 8, count), count));
    return into;
  }
  if (width > 8) return wideNumbers(splitPlanes(body, width / 8, count), { base, flags, values: into });
  const offsets =
    width === 8 ? (splitPlanes(body, 1, count)[0] as Uint8Array) : unpackBits(body, width as BitWidth, count);
  return narrowNumbers(offsets, 2 ** width, { base, flags, values: into });
}

/** Encoded numbers that are read one by one. */
export type PackedNumbers = {
  /** Size in memory. */
  readonly byteLength: number;
  at(place: number): number;
};

/**
 * Opens `count` numbers that `encodeNumbers` encoded, for reading a few of them.
 *
 * @throws {DamagedBlob} if the bytes do not hold `count` numbers
 */
export function openNumbers(bytes: Uint8Array, count: number): PackedNumbers {
  const width = bytes[0] as number;
  const flags = bytes[1] as number;
  if (width === CONSTANT || width === DOUBLES) {
    const values = decodeNumbers(bytes, width === CONSTANT ? 1 : count);
    return { byteLength: values.byteLength, at: (place) => values[width === CONSTANT ? 0 : place] as number };
  }
  const base = new DataView(bytes.buffer, bytes.byteOffset, HEADER).getFloat64(8, true);
  const { byteLength, at: offsetAt } = openOffsets(bytes.subarray(HEADER), width, count);
  return {
    byteLength,
    at(place) {
      const offset = offsetAt(place);
      if (offset === 0 && flags & WITH_NULLS) return Number.NaN;
      return flags & THOUSANDTHS ? (base + offset) / 1000 : base + offset;
    },
  };
}

function openOffsets(body: Uint8Array, width: number, count: number): PackedNumbers {
  if (isBitWidth(width)) {
    checkLength(body, Math.ceil((count * width) / 8));
    return { byteLength: body.length, at: (place) => bitsAt(body, width, place) };
  }
  const planes = splitPlanes(body, width / 8, count);
  return {
    byteLength: planes.length * count,
    at: (place) => planes.reduce((sum, plane, p) => sum + (plane[place] as number) * 2 ** (p * 8), 0),
  };
}

type Into = { readonly base: number; readonly flags: number; readonly values: Float64Array };

/** With at most 256 different values, each is computed once. */
function narrowNumbers(offsets: Uint8Array, different: number, { base, flags, values }: Into): Float64Array {
  const table = new Float64Array(different);
  for (let offset = 0; offset < different; offset++) table[offset] = base + offset;
  finish(table, base, flags);
  for (let i = 0; i < offsets.length; i++) values[i] = table[offsets[i] as number] as number;
  return values;
}

function wideNumbers(planes: readonly Uint8Array[], { base, flags, values }: Into): Float64Array {
  const [low, second, ...higher] = planes as [Uint8Array, Uint8Array, ...Uint8Array[]];
  for (let i = 0; i < low.length; i++) values[i] = base + ((low[i] as number) | ((second[i] as number) << 8));
  for (const [p, plane] of higher.entries()) addPlane(values, plane, 2 ** (16 + p * 8));
  finish(values, base, flags);
  return values;
}

function addPlane(values: Float64Array, plane: Uint8Array, unit: number): void {
  for (let i = 0; i < plane.length; i++) values[i] = (values[i] as number) + (plane[i] as number) * unit;
}

/** Turns whole numbers into the values they stand for: the base into null, thousandths into units. */
function finish(values: Float64Array, base: number, flags: number): void {
  // NaN equals nothing.
  const absent = flags & WITH_NULLS ? base : Number.NaN;
  if (flags & THOUSANDTHS) {
    for (let i = 0; i < values.length; i++) {
      const value = values[i] as number;
      values[i] = (value === absent ? Number.NaN : value) / 1000;
    }
  } else if (flags & WITH_NULLS) {
    for (let i = 0; i < values.length; i++) if (values[i] === absent) values[i] = Number.NaN;
  }
}
