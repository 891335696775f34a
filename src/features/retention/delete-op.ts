import { type Slice, sliceOp } from '../../core/jobs/index.ts';
import type { WriteOp } from '../../db/group-commit.ts';

/**
 * Says that rows of a project before an instant (epoch milliseconds) are going to be deleted, if there are any,
 * so that no reader takes those that are left, or come in late, for all.
 */
export const noteDeletionOp: WriteOp<{ readonly project: number; readonly before: number }, void> = {
  name: 'retention.note_deletion',
  open(connection) {
    const note = connection.prepare(
      `INSERT INTO rows_from (project, ts)
       SELECT ?1, ?2 WHERE EXISTS (SELECT 1 FROM events WHERE project = ?1 AND ts < ?2)
       ON CONFLICT DO UPDATE SET ts = max(ts, excluded.ts)`,
    );
    return {
      apply: ({ project, before }) => {
        note.run([project, before]);
      },
    };
  },
};

/** Raw events of a project before an instant. Their roll-ups stay. */
export const oldEvents: Slice = {
  name: 'retention.events',
  table: 'events',
  key: ['ts', 'event_id'],
  prefix: 'project = ?',
  until: 'ts < ?',
};

/** Sums of five minutes: without the rows at its edges a slot is of no use. `until` is a slot's number. */
export const oldSlots: Slice = {
  name: 'retention.rollup_slots',
  table: 'rollup_slots',
  key: ['slot', 'kind', 'is_call', 'status', 'provider', 'model', 'environment', 'error_code'],
  prefix: 'project = ?',
  until: 'slot < ?',
};

/** Chunks whose events were all before an instant. */
export const oldChunks: Slice = {
  name: 'retention.event_chunks',
  table: 'event_chunks',
  key: ['chunk'],
  prefix: 'project = ?',
  where: 'last_ts < ?',
};

/** Filters of chunks that are gone. `where` is the project again. */
export const oldFilters: Slice = {
  name: 'retention.trace_filters',
  table: 'trace_filters',
  key: ['chunk'],
  prefix: 'project = ?',
  where: 'chunk NOT IN (SELECT chunk FROM event_chunks WHERE project = ?)',
};

/** The same of sessions. */
export const oldSessions: Slice = {
  ...oldFilters,
  name: 'retention.session_chunks',
  table: 'session_chunks',
};

/** The same of event ids. */
export const oldEventFilters: Slice = {
  ...oldFilters,
  name: 'retention.event_filters',
  table: 'event_filters',
};

/** Times of first receipt; they are not in the order of time, so all of a project's are walked. */
export const oldUndated: Slice = {
  name: 'retention.undated_events',
  table: 'undated_events',
  key: ['event_id'],
  prefix: 'project = ?',
  where: 'ts < ?',
};

/** Refused lines of a project that were received before an instant. */
export const oldQuarantined: Slice = {
  name: 'retention.quarantined_events',
  table: 'quarantined_events',
  key: ['received_at', 'id'],
  prefix: 'project = ?',
  until: 'received_at < ?',
};

export const retentionOps = [
  noteDeletionOp,
  ...[
    oldEvents,
    oldSlots,
    oldChunks,
    oldFilters,
    oldSessions,
    oldEventFilters,
    oldUndated,
    oldQuarantined,
  ].map(sliceOp),
];
