/** The same bytes, starting at an odd offset of their buffer. */
export function unaligned(bytes: Uint8Array): Uint8Array {
  const moved = new Uint8Array(bytes.length + 3).subarray(3);
  moved.set(bytes);
  return moved;
}
