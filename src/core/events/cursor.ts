import type { SqlValue } from '../../db/connection.ts';
import { badRequest } from '../../errors.ts';

/** The place of an event in the order of reading: its time in epoch milliseconds, then its id's 16 bytes. */
export type Position = { readonly ts: number; readonly eventId: Uint8Array };

const ID_BYTES = 16;
const TS_BYTES = 8;
/** The latest time that a Date can hold. */
const MAX_TS = 8.64e15;

/** Where a page ended, as opaque text (base64url). */
export function encodeCursor({ ts, eventId }: Position): string {
  const bytes = new Uint8Array(TS_BYTES + ID_BYTES);
  new DataView(bytes.buffer).setFloat64(0, ts);
  bytes.set(eventId, TS_BYTES);
  return bytes.toBase64({ alphabet: 'base64url', omitPadding: true });
}

/** Reads what `encodeCursor` wrote. Throws 400 for anything else. */
export function decodeCursor(cursor: string): Position {
  const bytes = toBytes(cursor);
  if (bytes.length !== TS_BYTES + ID_BYTES) throw invalidCursor();
  const ts = new DataView(bytes.buffer, bytes.byteOffset).getFloat64(0);
  if (!Number.isInteger(ts) || Math.abs(ts) > MAX_TS) throw invalidCursor();
  return { ts, eventId: bytes.slice(TS_BYTES) };
}

/** The place of a row that was read. */
export const positionOf = (ts: SqlValue | undefined, eventId: SqlValue | undefined): Position => ({
  ts: Number(ts),
  eventId: new Uint8Array(eventId as Uint8Array),
});

/** Newest first: negative when `a` comes before `b`. */
export const newestFirst = (a: Position, b: Position): number =>
  b.ts - a.ts || Buffer.compare(b.eventId, a.eventId);

const invalidCursor = () =>
  badRequest('cursor: is not one that this endpoint gave; leave it out for the first page');

function toBytes(cursor: string): Uint8Array {
  try {
    return Uint8Array.fromBase64(cursor, { alphabet: 'base64url' });
  } catch {
    throw invalidCursor();
  }
}
