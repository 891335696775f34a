import { DamagedBlob, headerOf } from './frame.ts';

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
  const count = headerOf(bytes, 4).getUint32(0, true);
  const header = headerOf(bytes, 4 + count * 4);
  let at = aligned(4 + count * 4);
  const sections: Uint8Array[] = [];
  for (let i = 0; i < count; i++) {
    const end = at + header.getUint32(4 + i * 4, true);
    if (end > bytes.length)
      throw new DamagedBlob('wrong_length', 'The sections of a stored blob do not fit its length');
    sections.push(bytes.subarray(at, end));
    at = aligned(end);
  }
  return sections;
}
