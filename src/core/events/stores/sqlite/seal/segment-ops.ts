import type { Connection, SqlValue } from '../../../../../db/connection.ts';
import type { WriteOp } from '../../../../../db/group-commit.ts';
import { BLOCK_SPACE, PIECE_SPACE } from '../segments/pieces.ts';

/** A segment's row, without its pieces and blocks. Times in epoch milliseconds. */
export type NewSegment = {
  readonly events: number;
  readonly first: number;
  readonly last: number;
  readonly blocks: number;
  readonly small: Uint8Array;
};

/** `isFirst`: nothing else is being sealed, so segments of the project that are not ready are left over. */
type Begin = {
  readonly project: number;
  readonly isFirst: boolean;
  readonly segments: readonly NewSegment[];
};

/** Inserts segments that are not visible yet and returns their numbers. Deletes what a crash left over. */
export const beginSegmentsOp: WriteOp<Begin, number[]> = {
  name: 'events.begin_segments',
  open(connection) {
    const unready = connection
      .prepare('SELECT no FROM event_segments WHERE project = ? AND ready = 0')
      .raw(true);
    const drop = createSegmentDropper(connection);
    const insert = connection
      .prepare(
        `INSERT INTO event_segments (project, version, ready, events, first_ts, last_ts, blocks, small)
         VALUES (?, 1, 0, ?, ?, ?, ?, ?) RETURNING no`,
      )
      .raw(true);
    return {
      apply({ project, isFirst, segments }) {
        if (isFirst) for (const [no] of unready.all([project]) as number[][]) drop(no as number);
        return segments.map(({ events, first, last, blocks, small }) => {
          const [row] = insert.all([project, events, first, last, blocks, small]) as SqlValue[][];
          return Number(row?.[0]);
        });
      },
    };
  },
};

/** A piece or block of a segment that is not visible yet. */
export type SegmentPart = {
  readonly no: number;
  readonly of: 'pieces' | 'blocks';
  readonly number: number;
  readonly data: Uint8Array;
};

type Parts = { readonly project: number; readonly parts: readonly SegmentPart[] };

/** Inserts some pieces and blocks. */
export const segmentPartsOp: WriteOp<Parts, void> = {
  name: 'events.segment_parts',
  open(connection) {
    const insert = {
      pieces: connection.prepare('INSERT INTO event_pieces (id, project, data) VALUES (?, ?, ?)'),
      blocks: connection.prepare('INSERT INTO event_blocks (id, project, data) VALUES (?, ?, ?)'),
    };
    const space = { pieces: PIECE_SPACE, blocks: BLOCK_SPACE };
    return {
      apply({ project, parts }) {
        for (const { no, of, number, data } of parts)
          insert[of].run([no * space[of] + number, project, data]);
      },
    };
  },
};

/** Deletes the rows of a segment by its number. */
export function createSegmentDropper(connection: Connection): (no: number) => void {
  const rows = connection.prepare('DELETE FROM event_segments WHERE no = ?');
  const removeBlobs = createBlobRemoval(connection);
  return (no) => {
    removeBlobs(no);
    rows.run([no]);
  };
}

/** Deletes what a segment has beside its row. */
export function createBlobRemoval(connection: Connection): (no: number) => void {
  const flips = connection.prepare('DELETE FROM event_segment_flips WHERE no = ?');
  const pieces = connection.prepare('DELETE FROM event_pieces WHERE id >= ? AND id < ?');
  const blocks = connection.prepare('DELETE FROM event_blocks WHERE id >= ? AND id < ?');
  const runs = connection.prepare('DELETE FROM event_segment_runs WHERE id = ?');
  return (no) => {
    pieces.run([no * PIECE_SPACE, (no + 1) * PIECE_SPACE]);
    blocks.run([no * BLOCK_SPACE, (no + 1) * BLOCK_SPACE]);
    flips.run([no]);
    runs.run([no]);
  };
}
