import type { SqlValue } from '../../../../../db/connection.ts';
import type { ParsedEvent, Pricing } from '../../../event.ts';
import { CHUNK_EVENTS } from '../rows/chunks.ts';
import { C, INSERT_EVENT, restoreIds, toRow } from '../rows/row.ts';

/** The writer's insert of an event, to measure the speed of the engine alone. */
export type RawInsert = {
  readonly sql: string;
  /** Values of the next event of project 1. Call it in insertion order. */
  valuesOf(event: ParsedEvent, pricing: Omit<Pricing, 'price'>): SqlValue[];
};

export function createRawInsert(): RawInsert {
  let made = 0;
  return {
    sql: INSERT_EVENT,
    valuesOf(event, pricing) {
      const row = restoreIds(toRow(1, event, { ...pricing, price: 1 }));
      // The writer sets these columns: the open chunk's number, and the shape's, which is not inserted here.
      row[C.chunk] = Math.floor(made++ / CHUNK_EVENTS);
      row[C.shape] = null;
      row[C.label] = 1;
      return row;
    },
  };
}
