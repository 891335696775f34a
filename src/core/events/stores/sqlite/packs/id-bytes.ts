import { ID_WORDS, type IdColumn } from '../columns.ts';

const HEX: Readonly<Record<number, RegExp>> = { 2: /^[0-9a-f]{16}$/, 4: /^[0-9a-f]{32}$/ };

/** Hexadecimal digits of an id of its column's length: of the id itself, or of a hash of an id that is not one. */
export function idHex(column: IdColumn, id: string): { readonly hex: string; readonly isOdd: boolean } {
  const words = ID_WORDS[column];
  const plain = column === 'event_id' ? id.replaceAll('-', '') : id;
  if (HEX[words]?.test(plain)) return { hex: plain, isOdd: false };
  return { hex: Bun.SHA256.hash(id, 'hex').slice(0, words * 8), isOdd: true };
}

/** The words of an id, as the column stores them. */
export const idWords = (column: IdColumn, id: string): Int32Array<ArrayBuffer> => manyIdWords(column, [id]);

/** The words of several ids, one id after the other: one conversion is faster than one per id. */
export const manyIdWords = (column: IdColumn, ids: readonly string[]): Int32Array<ArrayBuffer> =>
  new Int32Array(Uint8Array.fromHex(ids.map((id) => idHex(column, id).hex).join('')).buffer);

/** The hexadecimal digits of the id at a place of a column. */
export function hexAt(column: IdColumn, words: Int32Array, place: number): string {
  const bytes = ID_WORDS[column] * 4;
  return new Uint8Array(words.buffer, words.byteOffset + place * bytes, bytes).toHex();
}

/** 32 hexadecimal digits as a lower-case UUID. */
export const toUuid = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
