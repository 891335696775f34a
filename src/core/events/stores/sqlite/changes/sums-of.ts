import type { SqlValue } from '../../../../../db/connection.ts';
import type { WriterPart } from '../../../../../db/writer-env.ts';
import { createLabels, type Labels } from '../labels/labels.ts';
import { createRollup, type Rollup } from '../rollups/rollup.ts';
import { type Chunks, createChunks } from '../rows/chunks.ts';
import { createShapes, type Shapes } from '../rows/shapes.ts';
import { createSeals, type Seals } from '../sealing/seal-chunks.ts';

/**
 * Data derived from the rows of events. Parts are buffered in memory until the commit, so all writes of a connection
 * share one instance. `events.record` flushes it before each commit and discards it after a rollback.
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
 * Updates all sums after stored rows were changed or deleted. Every update or delete of event rows must call it,
 * except pure cost changes (`createCostChange`). Call it in the transaction of the change, after everything that can
 * fail.
 * @param before the rows before the change, as `EVENT_COLUMNS`
 * @param after the same rows after the change; none for deleted rows
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
