import type { ByteColumn, NumberColumn } from '../columns.ts';
import type { Chunk } from './chunk.ts';

/** With more than one of so many events picked, whole columns are decoded. */
export const FEW = 16;

/** Columns of some events of a chunk, in the order of `places`. */
export function pickPlaces(chunk: Chunk, places: readonly number[]): Pick<Chunk, 'numbers' | 'bytes'> {
  const isFew = places.length * FEW <= chunk.events;
  return {
    numbers(column: NumberColumn) {
      if (isFew) return Float64Array.from(places, (place) => chunk.number(column, place));
      const values = chunk.numbers(column);
      return Float64Array.from(places, (place) => values[place] as number);
    },
    bytes(column: ByteColumn) {
      const values = chunk.bytes(column);
      return Uint8Array.from(places, (place) => values[place] as number);
    },
  };
}
