import { type AppError, badRequest } from '../../../../../errors.ts';

/** A position in a list, newest first: time in epoch milliseconds, then id descending. */
export type Position = { readonly ts: number; readonly id: string };

/** The latest time that a Date can represent. */
const MAX_TS = 8.64e15;

/** Encodes the end of a page as opaque text (base64url). */
export const encodeCursor = ({ ts, id }: Position): string =>
  Buffer.from(JSON.stringify([ts, id])).toString('base64url');

/**
 * Decodes a cursor of `encodeCursor`.
 * @param isId validates the list's ids
 * @throws AppError 400 for anything else
 */
export function decodeCursor(cursor: string, isId: (id: string) => boolean): Position {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    throw invalidCursor();
  }
  if (!Array.isArray(value)) throw invalidCursor();
  const [ts, id]: unknown[] = value;
  if (typeof ts !== 'number' || !Number.isInteger(ts) || Math.abs(ts) > MAX_TS) throw invalidCursor();
  if (typeof id !== 'string' || !isId(id)) throw invalidCursor();
  return { ts, id };
}

/** Newest first: negative when `a` comes before `b`. */
export function newestFirst(a: Position, b: Position): number {
  if (a.ts !== b.ts) return b.ts - a.ts;
  if (a.id === b.id) return 0;
  return a.id > b.id ? -1 : 1;
}

const invalidCursor = (): AppError =>
  badRequest('cursor: was not returned by this endpoint; leave it out for the first page');
