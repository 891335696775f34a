import type { Connection, SqlValue } from '../../../../../db/connection.ts';
import { createLabels, type Labels } from '../labels/labels.ts';
import { createRollup, type Rollup } from '../rollups/rollup.ts';
import { type Chunks, createChunks } from '../rows/chunks.ts';
import { createShapes, type Shapes } from '../rows/shapes.ts';
import { createSeals, type Seals } from '../sealing/seal-chunks.ts';

/** What is kept beside the rows of events on the writing connection. `events.record` flushes it at each commit. */
type Sums = {
  readonly chunks: Chunks;
  readonly rollup: Rollup;
  readonly seals: Seals;
  readonly shapes: Shapes;
  readonly labels: Labels;
};

const opened = new WeakMap<Connection, Sums>();

/** The same for every write of a connection, because parts of it are in memory until the commit. */
export function sumsOf(connection: Connection): Sums {
  const known = opened.get(connection);
  if (known !== undefined) return known;
  const chunks = createChunks(connection);
  const sums = {
    chunks,
    rollup: createRollup(connection),
    seals: createSeals(connection, chunks),
    shapes: createShapes(connection),
    labels: createLabels(connection),
  };
  opened.set(connection, sums);
  return sums;
}

/**
 * The way to change or remove stored rows (where only their cost changes: `createCostChange`). Whoever updates or deletes rows of `events` hands over what
 * they were and what they are, and all that is derived from them follows with the commit. Call it in the
 * transaction of the change, after everything in it that can fail.
 * @param before rows of `EVENT_COLUMNS` as they were
 * @param after the same rows as they are; none for rows that were deleted
 */
export function changeRows(
  connection: Connection,
  before: readonly SqlValue[][],
  after: readonly SqlValue[][],
): void {
  const { rollup, seals } = sumsOf(connection);
  rollup.add(before, -1);
  rollup.add(after);
  seals.change(before, -1);
  seals.change(after, 1);
}
