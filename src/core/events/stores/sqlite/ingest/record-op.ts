import type { SqlValue } from '../../../../../db/connection.ts';
import type { EffectCall } from '../../../../../db/effects.ts';
import type { WriteOp } from '../../../../../db/group-commit.ts';
import type { RecordOutcome } from '../../../batch.ts';
import { changeRows, sumsPart } from '../changes/sums-of.ts';
import { uuidToBytes } from '../rows/ids.ts';
import { C, EVENT_COLUMNS, INSERT_EVENT, restoreIds, restoreShapes } from '../rows/row.ts';
import { createRecentIds, recentKey } from './recent-ids.ts';
import { createSpanCounter, type Flip } from './span-counter.ts';

/** One batch of one project on its way to the writer. */
export type RecordBatch = {
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
  effects: readonly EffectCall[];
};

/** `results`: what the effects returned, in their order. */
export type RecordResult = { stored: number; duplicates: number; results: unknown[] };

/**
 * Stores a batch, runs its effects and hands it to the roll-ups, in one transaction. An event whose key is
 * already there is a duplicate and changes nothing. Nothing of the batch is stored when an effect refuses it.
 */
export const recordOp: WriteOp<RecordBatch, RecordResult> = {
  name: 'events.record',
  open(connection, { share, effects }) {
    const insert = connection.prepare(INSERT_EVENT);
    const findEvent = connection
      .prepare('SELECT 1 FROM events WHERE project = ? AND ts = ? AND event_id = ?')
      .raw(true);
    const findUndated = connection
      .prepare('SELECT ts FROM undated_events WHERE project = ? AND event_id = ?')
      .raw(true);
    const insertUndated = connection.prepare(
      'INSERT INTO undated_events (project, event_id, ts) VALUES (?, ?, ?)',
    );
    const sums = share(sumsPart);
    const { rollup, chunks, seals, shapes, labels } = sums;
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
          const outcome: RecordOutcome = { stored: stored.length, duplicates };
          const results = effects.apply(batch.effects, outcome);
          chunks.add(batch.project, stored);
          rollup.add(stored);
          seals.add(batch.project, stored);
          changeRows(sums, before, before.map(flipped));
          return { ...outcome, results };
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
      },
    };
  },
};

const flipped = (row: readonly SqlValue[]): SqlValue[] => row.with(C.is_call, row[C.is_call] === 1 ? 0 : 1);
