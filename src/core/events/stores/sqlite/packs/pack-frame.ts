import { DamagedBlob, frame, headerOf, unframe } from '../codecs/frame.ts';

const CRC_BYTES = 4;

/** Frames a compressed pack with the checksum of its batch's ids, which are stored apart and as they are. */
export function sealPack(compressed: Uint8Array, ids: Uint8Array): Uint8Array {
  const payload = new Uint8Array(CRC_BYTES + compressed.length);
  new DataView(payload.buffer).setUint32(0, Bun.hash.crc32(ids), true);
  payload.set(compressed, CRC_BYTES);
  return frame(payload);
}

/**
 * The compressed pack.
 * @throws {DamagedBlob} if the pack or the ids fail their checksum
 */
export function unsealPack(pack: Uint8Array, ids: Uint8Array): Uint8Array {
  const payload = unframe(pack);
  if (headerOf(payload, CRC_BYTES).getUint32(0, true) !== Bun.hash.crc32(ids))
    throw new DamagedBlob('wrong_checksum', 'The ids of a batch do not match their checksum');
  return payload.subarray(CRC_BYTES);
}
