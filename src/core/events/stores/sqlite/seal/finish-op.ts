import type { Connection, SqlValue } from '../../../../../db/connection.ts';
import type { WriteOp } from '../../../../../db/group-commit.ts';
import type { WriterEnv } from '../../../../../db/writer-env.ts';
import { traceMemoryPart } from '../counting/trace-memory.ts';
import { logPart, type Unsealed } from '../ingest/log-part.ts';
import type { SegmentRow } from '../segments/open-segment.ts';
import { NOTHING, type Remembered, sealedPart } from '../segments/sealed-part.ts';
import type { SumDeltas } from '../sums/sum-deltas.ts';
import { storedSumsPart } from '../sums/sums-part.ts';
import { createLateFlips } from './late-flips.ts';
import { createLateLinks } from './late-links.ts';
import { createSegmentDropper } from './segment-ops.ts';
import type { ReadBatch, ReadSegment } from './wire.ts';

/** A new segment without its blobs. */
export type FinishedSegment = Pick<SegmentRow, 'no' | 'events' | 'first' | 'last' | 'blocks'>;

/** Segments that are stored completely, and what they replace. */
export type Finish = {
  readonly project: number;
  readonly segments: readonly FinishedSegment[];
  readonly batches: readonly ReadBatch[];
  readonly merged: readonly ReadSegment[];
  readonly sums: SumDeltas | null;
};

/** `changed`: a batch is gone or a segment is not as it was read, so nothing was replaced and the new segments are deleted. */
export type Finished = { readonly outcome: 'sealed' | 'changed'; readonly unsealed: Unsealed };

/** Makes segments visible, adds their events to the sums and deletes what they replace. */
export const finishSegmentsOp: WriteOp<Finish, Finished> = {
  name: 'events.finish_segments',
  open(connection, env) {
    const { share } = env;
    const log = share(logPart);
    const sealed = share(sealedPart);
    const storedSums = share(storedSumsPart);
    const finish = createFinish(connection, env);
    return {
      apply: (work) => finish(work),
      discard() {
        log.forget();
        sealed.forget();
        storedSums.forget();
      },
    };
  },
};

/** @returns finishes segments; `meanwhile` runs in the same transaction if nothing has changed */
export function createFinish(
  connection: Connection,
  env: WriterEnv,
): (finish: Finish, meanwhile?: () => void) => Finished {
  const log = env.share(logPart);
  const sealed = env.share(sealedPart);
  const traces = env.share(traceMemoryPart);
  const storedSums = env.share(storedSumsPart);
  const isAsRead = createCheck(connection);
  const replace = createReplacement(connection);
  const drop = createSegmentDropper(connection);
  const lateFlips = createLateFlips(connection, env);
  const lateLinks = createLateLinks(connection, env);
  const rememberedOf = (batches: readonly ReadBatch[]): Remembered => ({
    ids: log.generation(),
    traces: traces.since(Math.min(...batches.map(({ seq }) => seq))),
  });
  return (finish, meanwhile) => {
    const { project, segments, batches, merged, sums } = finish;
    if (!isAsRead(finish)) {
      for (const { no } of segments) drop(no);
      return { outcome: 'changed', unsealed: log.unsealed(project) };
    }
    const visible = segments.map((segment) => ({ ...segment, project, version: 1, flips: [] }));
    // Before the batches are deleted: what the log knows is read when it is first asked for.
    const remembered = merged.length > 0 ? NOTHING : rememberedOf(batches);
    const flipped = lateFlips.collect(batches);
    const linked = lateLinks.collect(batches);
    replace(finish);
    meanwhile?.();
    try {
      if (sums !== null) storedSums.add(project, sums);
      lateFlips.apply(visible, flipped);
    } catch (error) {
      storedSums.forget();
      throw error;
    }
    sealed.add(project, visible, remembered);
    try {
      lateLinks.apply(visible, linked);
    } catch (error) {
      storedSums.forget();
      sealed.forget();
      throw error;
    }
    sealed.remove(
      project,
      merged.map(({ no }) => no),
    );
    log.remove(
      project,
      batches.map(({ seq }) => seq),
    );
    return { outcome: 'sealed', unsealed: log.unsealed(project) };
  };
}

/** Whether a segment of a project is as it was read. */
export function createSegmentCheck(
  connection: Connection,
): (project: number, segment: ReadSegment) => boolean {
  const read = connection
    .prepare(
      `SELECT f.places FROM event_segments s LEFT JOIN event_segment_flips f ON f.no = s.no
       WHERE s.no = ? AND s.project = ? AND s.ready = 1 AND s.version = ?`,
    )
    .raw(true);
  return (project, { no, version, flips }) => hasFlips(read.all([no, project, version]), flips);
}

/** Whether a query for flips found one row with these. */
const hasFlips = (rows: unknown[], flips: string | null): boolean =>
  rows.length === 1 && ((rows as SqlValue[][])[0]?.[0] ?? null) === flips;

function createCheck(connection: Connection): (finish: Finish) => boolean {
  const isSegmentAsRead = createSegmentCheck(connection);
  const findBatch = connection.prepare('SELECT seq FROM event_log WHERE seq = ? AND project = ?');
  const isNew = connection.prepare(
    'SELECT no FROM event_segments WHERE no = ? AND project = ? AND ready = 0',
  );
  return ({ project, segments, batches, merged }) =>
    segments.every(({ no }) => isNew.all([no, project]).length === 1) &&
    batches.every(({ seq }) => findBatch.all([seq, project]).length === 1) &&
    merged.every((segment) => isSegmentAsRead(project, segment));
}

function createReplacement(connection: Connection): (finish: Finish) => void {
  const show = connection.prepare('UPDATE event_segments SET ready = 1 WHERE no = ?');
  const removeBatch = connection.prepare('DELETE FROM event_log WHERE seq = ?');
  const removeFlips = connection.prepare('DELETE FROM event_log_flips WHERE seq = ?');
  const removeLinks = connection.prepare('DELETE FROM event_log_links WHERE seq = ?');
  const drop = createSegmentDropper(connection);
  return ({ segments, batches, merged }) => {
    for (const { no } of segments) show.run([no]);
    for (const { seq } of batches) {
      removeBatch.run([seq]);
      removeFlips.run([seq]);
      removeLinks.run([seq]);
    }
    for (const { no } of merged) drop(no);
  };
}
