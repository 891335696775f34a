import type { SqlValue } from '../../../../../db/connection.ts';
import type { ParsedEvent, Pricing } from '../../../event.ts';
import { CHUNK_EVENTS } from '../rows/chunks.ts';
import { C, INSERT_EVENT, restoreIds, toRow } from '../rows/row.ts';

/** The insert of an event as the writer runs it, for measuring what the engine takes with nothing in front. */
export type RawInsert = {
  readonly sql: string;
  /** The values for the next event of project 1. Call it in the order in which the rows are inserted. */
  valuesOf(event: ParsedEvent, pricing: Omit<Pricing, 'price'>): SqlValue[];
};

export function createRawInsert(): RawInsert {
  let made = 0;
  return {
    sql: INSERT_EVENT,
    valuesOf(event, pricing) {
      const row = restoreIds(toRow(1, event, { ...pricing, price: 1 }));
      // The writer sets these: the number of an open chunk, and that of a shape, which is not inserted here.
      row[C.chunk] = Math.floor(made++ / CHUNK_EVENTS);
      row[C.shape] = null;
      row[C.label] = 1;
      return row;
    },
  };
}
