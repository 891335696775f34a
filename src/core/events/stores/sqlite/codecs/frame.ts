const VERSION = 1;
/** A multiple of 8, so that a payload in an aligned blob can be viewed as any typed array. */
const HEADER = 8;
const LENGTH_MASK = 0xffffff;

/** Why a blob can't be read. */
export type DamageCode = 'wrong_length' | 'wrong_version' | 'wrong_checksum';

/** A stored blob does not hold what was written. The message says what is wrong; code reacts to `code`. */
export class DamagedBlob extends Error {
  override readonly name = 'DamagedBlob';
  readonly code: DamageCode;

  constructor(code: DamageCode, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Puts a header of 8 bytes before a payload: the format version (1 byte), the length of the payload modulo 2^24
 * (3 bytes) and its CRC-32 (4 bytes), little-endian. CRC-32 runs in hardware: 72 ns for 4 KiB, where xxHash32
 * takes 1.5 µs.
 */
export function frame(payload: Uint8Array): Uint8Array {
  const blob = new Uint8Array(HEADER + payload.length);
  const header = new DataView(blob.buffer);
  header.setUint32(0, (payload.length & LENGTH_MASK) * 256 + VERSION, true);
  header.setUint32(4, Bun.hash.crc32(payload), true);
  blob.set(payload, HEADER);
  return blob;
}

/**
 * Gives the payload of a framed blob as a view on the blob.
 *
 * @throws {DamagedBlob} if the length, the version or the checksum is wrong
 */
export function unframe(blob: Uint8Array): Uint8Array {
  const header = headerOf(blob, HEADER);
  const version = header.getUint8(0);
  if (version !== VERSION)
    throw new DamagedBlob('wrong_version', `A stored blob has format version ${version}, not ${VERSION}`);
  const payload = blob.subarray(HEADER);
  if (header.getUint32(0, true) >>> 8 !== (payload.length & LENGTH_MASK))
    throw new DamagedBlob('wrong_length', `A stored blob has ${blob.length} bytes, not as many as written`);
  if (header.getUint32(4, true) !== Bun.hash.crc32(payload))
    throw new DamagedBlob('wrong_checksum', 'A stored blob does not match its checksum');
  return payload;
}

/**
 * A view on the first `length` bytes.
 *
 * @throws {DamagedBlob} if there are fewer
 */
export function headerOf(bytes: Uint8Array, length: number): DataView {
  checkLength(bytes.subarray(0, length), length);
  return new DataView(bytes.buffer, bytes.byteOffset, length);
}

/** @throws {DamagedBlob} if the bytes are not as many as expected */
export function checkLength(bytes: Uint8Array, expected: number): void {
  if (bytes.length !== expected)
    throw new DamagedBlob(
      'wrong_length',
      `A part of a stored blob has ${bytes.length} bytes, not ${expected}`,
    );
}
