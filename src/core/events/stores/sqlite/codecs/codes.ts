import { type BitWidth, isBitWidth, packBits, unpackBits } from './bits.ts';
import { checkLength, headerOf } from './frame.ts';
import { maskBits, maskBytes, maskCode, maskWords } from './mask.ts';

/** Bits per code (1 byte), 3 unused bytes, and the code itself where all are the same (4 bytes, little-endian). */
const HEADER = 8;
const CONSTANT = 0;

type Codes = Uint8Array | Uint16Array | Uint32Array;
type CodeWidth = typeof CONSTANT | BitWidth | 8 | 16 | 32;

/**
 * Encodes codes of a dictionary, 0 for null: one constant, or 1, 2, 4, 8, 16 or 32 bits per code, never
 * compressed, so that `maskEqual` and `maskAny` read them as they are.
 */
export function encodeCodes(codes: Uint32Array): Uint8Array {
  const width = widthOf(codes);
  const body = bodyOf(codes, width);
  const bytes = new Uint8Array(HEADER + body.byteLength);
  bytes[0] = width;
  if (width === CONSTANT) new DataView(bytes.buffer).setUint32(4, codes[0] ?? 0, true);
  bytes.set(new Uint8Array(body.buffer, body.byteOffset, body.byteLength), HEADER);
  return bytes;
}

function widthOf(codes: Uint32Array): CodeWidth {
  const first = codes[0] ?? 0;
  if (codes.every((code) => code === first)) return CONSTANT;
  const most = codes.reduce((greatest, code) => Math.max(greatest, code), 0);
  return ([1, 2, 4, 8, 16] as const).find((width) => most < 2 ** width) ?? 32;
}

function bodyOf(codes: Uint32Array, width: CodeWidth): Codes {
  if (isBitWidth(width)) return packBits(codes, width);
  if (width === CONSTANT) return new Uint8Array();
  return width === 8 ? new Uint8Array(codes) : width === 16 ? new Uint16Array(codes) : codes;
}

/**
 * Decodes `count` codes that `encodeCodes` encoded. The result may be a view on `bytes`.
 *
 * @throws {DamagedBlob} if the bytes do not hold `count` codes
 */
export function decodeCodes(bytes: Uint8Array, count: number): Codes {
  const width = codeWidthOf(bytes);
  const body = bytes.subarray(HEADER);
  if (isBitWidth(width)) return unpackBits(body, width, count);
  if (width === CONSTANT) return constantCodes(constantOf(bytes), count);
  checkLength(body, (count * width) / 8);
  // Not the view itself: if the bytes are a Buffer, a `slice` of it would share its memory.
  if (width === 8) return new Uint8Array(body.buffer, body.byteOffset, count);
  const { buffer, byteOffset } = body.byteOffset % (width / 8) === 0 ? body : new Uint8Array(body);
  return width === 16
    ? new Uint16Array(buffer, byteOffset, count)
    : new Uint32Array(buffer, byteOffset, count);
}

const codeWidthOf = (bytes: Uint8Array): CodeWidth => headerOf(bytes, HEADER).getUint8(0) as CodeWidth;

const constantOf = (bytes: Uint8Array): number => headerOf(bytes, HEADER).getUint32(4, true);

const constantCodes = (code: number, count: number): Codes =>
  (code < 2 ** 8
    ? new Uint8Array(count)
    : code < 2 ** 16
      ? new Uint16Array(count)
      : new Uint32Array(count)
  ).fill(code);

/**
 * Clears `mask[i]` of every event whose code is not `code`.
 *
 * @param bytes `count` codes that `encodeCodes` encoded
 * @param mask a byte per event, 0 or 1
 * @returns whether a 1 is left
 * @throws {DamagedBlob} if the bytes do not hold `count` codes
 */
export function maskEqual(bytes: Uint8Array, count: number, code: number, mask: Uint8Array): boolean {
  if (codeWidthOf(bytes) <= 8) return maskAny(bytes, count, new Set([code]), mask);
  return maskCode(decodeCodes(bytes, count), code, mask.subarray(0, count));
}

/**
 * Clears `mask[i]` of every event whose code is not in `wanted`.
 *
 * @param bytes `count` codes that `encodeCodes` encoded
 * @param mask a byte per event, 0 or 1
 * @returns whether a 1 is left
 * @throws {DamagedBlob} if the bytes do not hold `count` codes
 */
export function maskAny(
  bytes: Uint8Array,
  count: number,
  wanted: ReadonlySet<number>,
  mask: Uint8Array,
): boolean {
  const width = codeWidthOf(bytes);
  const events = mask.subarray(0, count);
  if (width === CONSTANT) {
    if (!wanted.has(constantOf(bytes))) events.fill(0);
    return events.includes(1);
  }
  if (isBitWidth(width)) return maskBits(bytes.subarray(HEADER), width, wantedTable(wanted, width), events);
  const codes = decodeCodes(bytes, count);
  if (codes instanceof Uint32Array) return maskWords(codes, wanted, events);
  return maskBytes(codes, wantedTable(wanted, width), events);
}

/** 1 for each wanted code, 0 for all others of this width. */
function wantedTable(wanted: ReadonlySet<number>, width: number): Uint8Array {
  const table = new Uint8Array(2 ** width);
  for (const code of wanted) if (code < table.length) table[code] = 1;
  return table;
}
