import type { SqlValue } from '../../../../../db/connection.ts';
import type { WriterPart } from '../../../../../db/writer-env.ts';
import { createLabels, type Labels } from '../labels/labels.ts';
import { createRollup, type Rollup } from '../rollups/rollup.ts';
import { type Chunks, createChunks } from '../rows/chunks.ts';
import { createShapes, type Shapes } from '../rows/shapes.ts';
import { createSeals, type Seals } from '../sealing/seal-chunks.ts';

/**
 * What is kept beside the rows of events. Parts of it are in memory until the commit, so that all writes of a
 * connection share one; `events.record` flushes it before each commit and discards it after a rollback.
 */
export type Sums = {
  readonly chunks: Chunks;
  readonly rollup: Rollup;
  readonly seals: Seals;
  readonly shapes: Shapes;
  readonly labels: Labels;
};

export const sumsPart: WriterPart<Sums> = {
  open(connection) {
    const chunks = createChunks(connection);
    return {
      chunks,
      rollup: createRollup(connection),
      seals: createSeals(connection, chunks),
      shapes: createShapes(connection),
      labels: createLabels(connection),
    };
  },
};

/**
 * The way to change or remove stored rows (where only their cost changes: `createCostChange`). Whoever updates or
 * deletes rows of events hands over what they were and what they are, and the sums follow with the commit. Call
 * it in the transaction of the change, after everything in it that can fail.
 * @param before rows of `EVENT_COLUMNS` as they were
 * @param after the same rows as they are; none for rows that were deleted
 */
export function changeRows(
  { rollup, seals }: Sums,
  before: readonly SqlValue[][],
  after: readonly SqlValue[][],
): void {
  rollup.add(before, -1);
  rollup.add(after);
  seals.change(before, -1);
  seals.change(after, 1);
}
