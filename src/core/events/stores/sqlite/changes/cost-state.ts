import type { Chunk } from '../scan/chunk.ts';
import { numberAt } from '../scan/to-event.ts';

/** Cost of a stored event: nano-dollars, an index of `COST_STATUSES`, a number of `event_prices`. */
export type CostState = readonly [costNano: number | null, costStatus: number | null, price: number | null];

/** A place of a chunk and its new cost. */
export type PlaceCost = { readonly place: number; readonly next: CostState };

export const costAt = (chunk: Chunk, place: number): CostState => [
  numberAt(chunk, 'cost_nano', place),
  statusOf(chunk.bytes('cost_status')[place] as number),
  numberAt(chunk, 'price', place),
];

/** In columns 0 is null. */
const statusOf = (byte: number): number | null => (byte === 0 ? null : byte - 1);
const byteOf = (status: number | null): number => (status === null ? 0 : status + 1);

/** The chunk with other costs at some places. */
export function withCosts(chunk: Chunk, costs: readonly PlaceCost[]): Chunk {
  const cost = chunk.numbers('cost_nano').slice();
  const status = chunk.bytes('cost_status').slice();
  const price = chunk.numbers('price').slice();
  for (const { place, next } of costs) {
    cost[place] = next[0] ?? Number.NaN;
    status[place] = byteOf(next[1]);
    price[place] = next[2] ?? Number.NaN;
  }
  const numbers: Chunk['numbers'] = (column) =>
    column === 'cost_nano' ? cost : column === 'price' ? price : chunk.numbers(column);
  return {
    ...chunk,
    numbers,
    number: (column, place) => numbers(column)[place] as number,
    bytes: (column) => (column === 'cost_status' ? status : chunk.bytes(column)),
  };
}
