import type { SqlValue } from '../../../../../db/connection.ts';

/** A UUID as the store returns it. */
export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A UUID as its 16 bytes. */
export function uuidToBytes(uuid: string): Uint8Array {
  return Uint8Array.fromHex(uuid.replaceAll('-', ''));
}

/** 16 bytes as a lower-case UUID. */
export function bytesToUuid(value: SqlValue): string {
  const hex = toBytes(value).toHex();
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

const PACKED = /^(?:[0-9a-f]{32}|[0-9a-f]{16})$/;

/** Converts a trace or span id to its stored form: bytes for 16 or 32 lower-case hex digits, otherwise text. */
export function packId(id: string): Uint8Array | string {
  return PACKED.test(id) ? Uint8Array.fromHex(id) : id;
}

/**
 * Encodes an id as text for the writer: `x` and hex for ids stored as bytes, `t` and the text for others. JSON
 * transfers text several times faster than structured clone transfers bytes.
 */
export function idToWire(id: string): string {
  return PACKED.test(id) ? `x${id}` : `t${id}`;
}

/** Decodes `idToWire` to the stored form. */
export function wireToId(wire: string): Uint8Array | string {
  return wire.startsWith('x') ? Uint8Array.fromHex(wire.slice(1)) : wire.slice(1);
}

/** The id as sent. */
export function unpackId(value: SqlValue): string {
  return typeof value === 'string' ? value : toBytes(value).toHex();
}

function toBytes(value: SqlValue): Uint8Array {
  if (value instanceof Uint8Array) return value;
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  throw new Error('expected bytes');
}
