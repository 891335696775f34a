import type { SqlValue } from '../../../../../db/connection.ts';
import type { EffectCall } from '../../../../../db/effects.ts';
import type { WriteOp } from '../../../../../db/group-commit.ts';
import type { RecordOutcome } from '../../../batch.ts';
import { changeRows, sumsPart } from '../changes/sums-of.ts';
import { C, restoreShapes } from '../rows/row.ts';
import { createFlipCall } from './flip-call.ts';
import { createSpanCounter } from './span-counter.ts';
import { createStoreRow } from './store-row.ts';

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
    const sums = share(sumsPart);
    const { rollup, chunks, seals, shapes, labels } = sums;
    const spanCounter = createSpanCounter(connection);
    const storeRow = createStoreRow(connection, sums);
    const flipCall = createFlipCall(connection);

    /** `before`: stored rows as they were, whose `is_call` changed with this batch. */
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
