import type { SqlValue } from '../../../../../db/connection.ts';

/** A blob as an ArrayBuffer, copied only if it is a view of a larger one. */
export function bufferOf(value: SqlValue | undefined): ArrayBuffer {
  if (value instanceof ArrayBuffer) return value;
  if (!(value instanceof Uint8Array)) throw new Error('expected bytes');
  const { buffer, byteOffset, byteLength } = value;
  if (buffer instanceof ArrayBuffer && byteOffset === 0 && byteLength === buffer.byteLength) return buffer;
  return new Uint8Array(value).buffer;
}
