import type { WriteOp } from '../../../../../db/group-commit.ts';
import { logPart, type Unsealed } from '../ingest/log-part.ts';
import { createSegmentDropper } from '../seal/segment-ops.ts';
import { sealedPart } from '../segments/sealed-part.ts';

/** The events that were deleted, and the milliseconds before COMMIT. */
export type Dropped = { readonly events: number; readonly ms: number };

/** Deletes a segment; the sums stay. One that is gone already has no events. */
export const dropSegmentOp: WriteOp<{ readonly project: number; readonly no: number }, Dropped> = {
  name: 'events.drop_segment',
  open(connection, { share }) {
    const sealed = share(sealedPart);
    const find = connection
      .prepare('SELECT events FROM event_segments WHERE no = ? AND project = ?')
      .raw(true);
    const drop = createSegmentDropper(connection);
    return {
      apply({ project, no }) {
        const since = performance.now();
        const [row] = find.all([no, project]) as number[][];
        if (row === undefined) return { events: 0, ms: 0 };
        drop(no);
        sealed.remove(project, [no]);
        return { events: row[0] ?? 0, ms: performance.now() - since };
      },
    };
  },
};

type DroppedBatches = { readonly batches: number; readonly unsealed: Unsealed; readonly ms: number };

/** Deletes some batches of the log of a project. */
export const dropBatchesOp: WriteOp<{ readonly project: number; readonly most: number }, DroppedBatches> = {
  name: 'events.drop_batches',
  open(connection, { share }) {
    const log = share(logPart);
    const list = connection
      .prepare('SELECT seq FROM event_log WHERE project = ? ORDER BY seq LIMIT ?')
      .raw(true);
    const remove = connection.prepare('DELETE FROM event_log WHERE seq = ?');
    const removeFlips = connection.prepare('DELETE FROM event_log_flips WHERE seq = ?');
    const removeLinks = connection.prepare('DELETE FROM event_log_links WHERE seq = ?');
    return {
      apply({ project, most }) {
        const since = performance.now();
        const numbers = (list.all([project, most]) as number[][]).flat();
        for (const seq of numbers) {
          remove.run([seq]);
          removeFlips.run([seq]);
          removeLinks.run([seq]);
        }
        log.remove(project, numbers);
        return {
          batches: numbers.length,
          unsealed: log.unsealed(project),
          ms: performance.now() - since,
        };
      },
    };
  },
};

/**
 * Records, before events older than an instant (epoch milliseconds) are deleted, that the remaining ones and late
 * arrivals of that time are incomplete, so that no reader relies on them.
 */
export const noteDropOp: WriteOp<{ readonly project: number; readonly before: number }, void> = {
  name: 'events.note_drop',
  open(connection) {
    const note = connection.prepare(
      `INSERT INTO rows_from (project, ts)
       SELECT ?1, ?2 WHERE EXISTS (SELECT 1 FROM event_segments WHERE ready = 1 AND project = ?1 AND first_ts < ?2)
         OR EXISTS (SELECT 1 FROM event_segments WHERE ready > 1 AND project = ?1 AND last_ts < ?2)
       ON CONFLICT DO UPDATE SET ts = max(ts, excluded.ts)`,
    );
    return {
      apply: ({ project, before }) => {
        note.run([project, before]);
      },
    };
  },
};
