import type { Connection } from '../../../../db/connection.ts';
import type { EncodedSegment } from '../sqlite/segments/encode-segment.ts';
import { BLOCK_SPACE, PIECE_SPACE } from '../sqlite/segments/pieces.ts';

/** Inserts a whole segment of a project; returns its number. */
export function createInsertSegment(
  connection: Connection,
): (project: number, segment: EncodedSegment) => number {
  const insertSegment = connection
    .prepare(
      `INSERT INTO event_segments (project, version, ready, events, first_ts, last_ts, blocks, small)
       VALUES (?, 1, 1, ?, ?, ?, ?, ?) RETURNING no`,
    )
    .raw(true);
  const insertPiece = connection.prepare('INSERT INTO event_pieces (id, project, data) VALUES (?, ?, ?)');
  const insertBlock = connection.prepare('INSERT INTO event_blocks (id, project, data) VALUES (?, ?, ?)');
  return (project, { events, first, last, blocks, small, pieces }) => {
    const [[no = 0] = []] = insertSegment.all([
      project,
      events,
      first,
      last,
      blocks.length,
      small,
    ]) as number[][];
    for (const [piece, data] of pieces) insertPiece.run([no * PIECE_SPACE + piece, project, data]);
    for (const [block, data] of blocks.entries()) insertBlock.run([no * BLOCK_SPACE + block, project, data]);
    return no;
  };
}
