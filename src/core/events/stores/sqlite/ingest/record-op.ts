import type { SqlValue } from '../../../../../db/connection.ts';
import type { WriteOp } from '../../../../../db/group-commit.ts';
import { type AuditDraft, createAuditAppender } from '../../../../audit/index.ts';
import { changeRows, sumsOf } from '../changes/sums-of.ts';
import { uuidToBytes } from '../rows/ids.ts';
import { C, EVENT_COLUMNS, restoreIds, restoreShapes } from '../rows/row.ts';
import { createQuarantine } from './quarantine.ts';
import { createRecentIds, recentKey } from './recent-ids.ts';
import { createSpanCounter, type Flip } from './span-counter.ts';
import { createUsageCounter, type UsageBatch } from './usage-counter.ts';

/** One batch of one project on its way to the writer. */
export type RecordBatch = UsageBatch & {
  project: number;
  /** The project key with which it came. */
  keyId: string | null;
  /** Rows of `toRow` as JSON text: a string is handed over without being copied. */
  rows: string;
  /** What `takeShapes` took out of them. */
  shapes: readonly string[];
  /** Places of rows whose sender gave an id but no timestamp: the time of first receipt stands. */
  undated: number[];
  /** Whether they are OTLP spans: then each call counts once over all the spans of its trace. */
  spans: boolean;
  /** Lines to keep aside: id, project, received_at, line, error, body. */
  refused: SqlValue[][];
  /** Ids of kept lines that this batch takes the place of. */
  released: readonly string[];
  audit: readonly AuditDraft[];
};

/** `warned`: with this batch a part of the month's quota was used up of which people are told. */
export type RecordResult = { stored: number; duplicates: number; warned: boolean };

/**
 * Stores a batch, counts it against the month and hands it to the roll-ups, in one transaction. An event
 * whose key is already there is a duplicate and changes nothing.
 * Throws 429 when more new events came than the month has left; then nothing of the batch is stored.
 */
export const recordOp: WriteOp<RecordBatch, RecordResult> = {
  name: 'events.record',
  open(connection) {
    const insert = connection.prepare(
      `INSERT INTO events (${EVENT_COLUMNS.join(', ')}) VALUES (${EVENT_COLUMNS.map(() => '?').join(', ')})
       ON CONFLICT DO NOTHING`,
    );
    const findEvent = connection
      .prepare('SELECT 1 FROM events WHERE project = ? AND ts = ? AND event_id = ?')
      .raw(true);
    const findUndated = connection
      .prepare('SELECT ts FROM undated_events WHERE project = ? AND event_id = ?')
      .raw(true);
    const insertUndated = connection.prepare(
      'INSERT INTO undated_events (project, event_id, ts) VALUES (?, ?, ?)',
    );
    const usage = createUsageCounter(connection);
    const audit = createAuditAppender(connection);
    const quarantine = createQuarantine(connection);
    const { rollup, chunks, seals, shapes, labels } = sumsOf(connection);
    const recentIds = createRecentIds();
    const spanCounter = createSpanCounter(connection);
    const readEvent = connection
      .prepare(
        `SELECT ${EVENT_COLUMNS.join(', ')} FROM events WHERE project = ? AND ts = ? AND event_id = ? AND is_call = ?`,
      )
      .raw(true);
    const setCall = connection.prepare(
      'UPDATE events SET is_call = ? WHERE project = ? AND ts = ? AND event_id = ?',
    );

    function settleTime(row: SqlValue[]): void {
      const key = [row[C.project] ?? null, row[C.event_id] ?? null];
      const [known] = findUndated.all(key) as SqlValue[][];
      if (known === undefined) insertUndated.run([...key, row[C.ts] ?? null]);
      else row[C.ts] = known[0] ?? null;
    }

    /** Inserts a row as it came; false when its event is there already. */
    function storeRow(row: SqlValue[], keyId: string | null, isUndated: boolean): boolean {
      const key = recentKey(row[C.project] as number, row[C.event_id] as string);
      const known = recentIds.timeOf(key);
      restoreIds(row);
      if (known !== undefined && known !== row[C.ts] && isStored(row, known)) return false;
      if (isUndated) settleTime(row);
      labels.settle(row, keyId);
      shapes.settle(row);
      recentIds.note(key, row[C.ts] as number);
      return insert.run(row).changes > 0;
    }

    function isStored(row: readonly SqlValue[], ts: number): boolean {
      return findEvent.all([row[C.project] ?? null, ts, row[C.event_id] ?? null]).length > 0;
    }

    /** `before`: stored rows as they were, whose `is_call` changed with this batch. */
    function store(batch: RecordBatch): { stored: SqlValue[][]; duplicates: number; before: SqlValue[][] } {
      const rows = JSON.parse(batch.rows) as SqlValue[][];
      restoreShapes(rows, batch.shapes);
      const undated = new Set(batch.undated);
      chunks.assign(batch.project, rows);
      const flips = batch.spans ? spanCounter.count(batch.project, rows) : [];
      const stored = rows.filter((row, place) => storeRow(row, batch.keyId, undated.has(place)));
      const before = flips.flatMap((flip) => flipRow(batch.project, flip));
      return { stored, duplicates: rows.length - stored.length, before };
    }

    /** The row before the change; none where it is gone or right already. */
    function flipRow(project: number, { ts, eventId, isCall }: Flip): SqlValue[][] {
      const key = [project, ts, uuidToBytes(eventId)];
      const rows = readEvent.all([...key, 1 - isCall]) as SqlValue[][];
      if (rows.length > 0) setCall.run([isCall, ...key]);
      return rows;
    }

    return {
      apply(batch) {
        try {
          const { stored, duplicates, before } = store(batch);
          const warned = usage.count(batch, stored.length);
          quarantine.insert(batch.project, batch.refused);
          quarantine.release(batch.project, batch.released);
          for (const draft of batch.audit) audit.append(draft);
          chunks.add(batch.project, stored);
          rollup.add(stored);
          seals.add(batch.project, stored);
          changeRows(connection, before, before.map(flipped));
          return { stored: stored.length, duplicates, warned };
        } catch (error) {
          // What this request stored is rolled back, shapes and labels that it brought included.
          shapes.forget();
          labels.forget();
          if (batch.spans) spanCounter.undo();
          throw error;
        }
      },
      flush() {
        chunks.flush();
        spanCounter.flush(chunks.isFull);
        rollup.flush();
        seals.flush();
      },
      discard() {
        rollup.discard();
        chunks.discard();
        seals.discard();
        spanCounter.discard();
        shapes.forget();
        labels.forget();
        quarantine.forget();
      },
    };
  },
};

const flipped = (row: readonly SqlValue[]): SqlValue[] => row.with(C.is_call, row[C.is_call] === 1 ? 0 : 1);
