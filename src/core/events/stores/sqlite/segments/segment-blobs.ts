import type { SqlValue } from '../../../../../db/connection.ts';
import type { SegmentBlobs } from './open-segment.ts';
import { BLOCK_SPACE, PIECE_SPACE } from './pieces.ts';

/**
 * Reads the blobs of a segment from its tables.
 * @param first the first value of the first row of a query for a key; null without a row
 */
export function segmentBlobs(first: (sql: string, key: number) => SqlValue, no: number): SegmentBlobs {
  const blob = (sql: string, key: number): Uint8Array => toBytes(first(sql, key));
  return {
    small: () => blob('SELECT small FROM event_segments WHERE no = ?', no),
    piece: (number) => blob('SELECT data FROM event_pieces WHERE id = ?', no * PIECE_SPACE + number),
    block: (number) => blob('SELECT data FROM event_blocks WHERE id = ?', no * BLOCK_SPACE + number),
  };
}

/** A blob as the driver returns it; empty for a missing one, which fails its checksum. */
export const toBytes = (value: SqlValue): Uint8Array =>
  value instanceof Uint8Array ? value : new Uint8Array(value instanceof ArrayBuffer ? value : []);
