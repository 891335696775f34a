import type { Connection } from '../../../../../db/connection.ts';
import { PIECE_SPACE } from './pieces.ts';

/** New pieces of a segment. `removed`: pieces without a row of their own from now on. */
export type ReplacedPieces = {
  readonly small: Uint8Array;
  readonly pieces: readonly (readonly [piece: number, data: Uint8Array])[];
  readonly removed: readonly number[];
};

/** Stores new pieces of a segment of a project, which gets the next version. */
export function createPieceReplacement(
  connection: Connection,
): (project: number, no: number, replaced: ReplacedPieces) => void {
  const setSmall = connection.prepare(
    'UPDATE event_segments SET small = ?, version = version + 1 WHERE no = ?',
  );
  const setPiece = connection.prepare(
    `INSERT INTO event_pieces (id, project, data) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET data = excluded.data`,
  );
  const removePiece = connection.prepare('DELETE FROM event_pieces WHERE id = ?');
  return (project, no, { small, pieces, removed }) => {
    setSmall.run([small, no]);
    for (const [piece, data] of pieces) setPiece.run([no * PIECE_SPACE + piece, project, data]);
    for (const piece of removed) removePiece.run([no * PIECE_SPACE + piece]);
  };
}
