import { DamagedBlob } from './frame.ts';

const aligned = (offset: number): number => (offset + 7) & ~7;

/**
 * Joins byte arrays into one: their number and lengths (4 bytes each, little-endian), then the parts, each at a
 * multiple of 8. All together stay below 2 GiB.
 */
export function joinSections(parts: readonly Uint8Array[]): Uint8Array {
  const head = aligned(4 + parts.length * 4);
  const joined = new Uint8Array(parts.reduce((end, part) => aligned(end) + part.length, head));
  const header = new DataView(joined.buffer);
  header.setUint32(0, parts.length, true);
  let at = head;
  for (const [i, part] of parts.entries()) {
    header.setUint32(4 + i * 4, part.length, true);
    joined.set(part, at);
    at = aligned(at + part.length);
  }
  return joined;
}

/**
 * Splits what `joinSections` joined. The sections are views on `bytes`.
 *
 * @throws {DamagedBlob} if the lengths do not fit the bytes
 */
export function splitSections(bytes: Uint8Array): Uint8Array[] {
  const header = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const count = bytes.length < 4 ? -1 : header.getUint32(0, true);
  let at = aligned(4 + count * 4);
  if (count < 0 || 4 + count * 4 > bytes.length) throw wrongLength();
  const sections: Uint8Array[] = [];
  for (let i = 0; i < count; i++) {
    const end = at + header.getUint32(4 + i * 4, true);
    if (end > bytes.length) throw wrongLength();
    sections.push(bytes.subarray(at, end));
    at = aligned(end);
  }
  return sections;
}

const wrongLength = (): DamagedBlob =>
  new DamagedBlob('wrong_length', 'The sections of a stored blob do not fit its length');
