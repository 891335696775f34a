import type { SqlValue } from '../../../../../db/connection.ts';
import type { EffectCall } from '../../../../../db/effects.ts';
import type { WriteOp } from '../../../../../db/group-commit.ts';
import type { RecordOutcome } from '../../../batch.ts';
import { changeRows, sumsPart } from '../changes/sums-of.ts';
import { C, restoreShapes } from '../rows/row.ts';
import { createFlipCall } from './flip-call.ts';
import { SpanCounter } from './span-counter.ts';
import { createStoreRow } from './store-row.ts';

/** One batch of one project, for the writer. */
export type RecordBatch = {
  project: number;
  /** Id of the project key that sent it. */
  keyId: string | null;
  /** Rows of `toRow` as JSON text, because strings are passed to the writer thread without a copy. */
  rows: string;
  /** The shapes that `takeShapes` extracted. */
  shapes: readonly string[];
  /** Indexes of rows with an id but no timestamp; they keep the time of first receipt. */
  undated: number[];
  /** Whether they are OTLP spans: each call then counts once over all spans of its trace. */
  spans: boolean;
  effects: readonly EffectCall[];
};

/** `results` are the results of the effects, in order. */
export type RecordResult = { stored: number; duplicates: number; results: unknown[] };

/**
 * Stores a batch, runs its effects and updates the roll-ups, in one transaction. An event whose key is already stored
 * is a duplicate and changes nothing. If an effect rejects the batch, nothing is stored.
 */
export const recordOp: WriteOp<RecordBatch, RecordResult> = {
  name: 'events.record',
  open(connection, { share, effects }) {
    const sums = share(sumsPart);
    const { rollup, chunks, seals, shapes, labels } = sums;
    const spanCounter = new SpanCounter(connection);
    const storeRow = createStoreRow(connection, sums);
    const flipCall = createFlipCall(connection);

    /** `before` are stored rows whose `is_call` this batch changes, as they were. */
    function store(batch: RecordBatch): { stored: SqlValue[][]; duplicates: number; before: SqlValue[][] } {
      const rows = JSON.parse(batch.rows) as SqlValue[][];
      restoreShapes(rows, batch.shapes);
      const undated = new Set(batch.undated);
      chunks.assign(batch.project, rows);
      const flips = batch.spans ? spanCounter.count(batch.project, rows) : [];
      const stored = rows.filter((row, place) => storeRow(row, batch.keyId, undated.has(place)));
      const before = flips.flatMap((flip) => flipCall(batch.project, flip));
      return { stored, duplicates: rows.length - stored.length, before };
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
          // The request's rows are rolled back, including new shapes and labels.
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
