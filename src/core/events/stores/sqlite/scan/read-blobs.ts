import type { Reader } from '../../../../../db/reader.ts';
import { toBytes } from '../segments/segment-blobs.ts';

/** Rows that are read at once: about a megabyte. */
const ROWS = 256;

/** Blobs of a table by key, in the order of the keys; a query for many of them. Keys without a row are left out. */
export function* readBlobs(
  reader: Reader,
  table: 'event_pieces' | 'event_id_pages' | 'event_segment_runs',
  keys: readonly number[],
): Generator<readonly [key: number, data: Uint8Array]> {
  for (let at = 0; at < keys.length; at += ROWS) {
    const rows = reader.rows(`SELECT id, data FROM ${table} WHERE id IN (SELECT value FROM json_each(?))`, [
      JSON.stringify(keys.slice(at, at + ROWS)),
    ]);
    for (const [id = 0, data = null] of rows) yield [Number(id), toBytes(data)];
  }
}
