import type { SqlValue } from '../../../../../db/connection.ts';
import { adderOf, createSums, type SumArray } from './call-sums.ts';
import type { Chunk } from './chunk.ts';
import type { Codes } from './codes.ts';
import { groupPlaces } from './group-places.ts';

/** Sums of the selected events of a chunk with the same values of the keys. */
export type SummedGroup = { readonly key: readonly SqlValue[]; readonly sums: SumArray };

/**
 * Sums the selected events of a chunk by some keys.
 * @param mask 1 for each selected event
 */
export function sumGroups(chunk: Chunk, mask: Uint8Array, keys: readonly Codes[]): SummedGroup[] {
  const { count, groupOf, keyOf } = groupPlaces(mask, keys);
  const groups = Array.from({ length: count }, createSums);
  const add = adderOf(chunk);
  for (let place = 0; place < mask.length; place++)
    if (mask[place] !== 0) add(groups[groupOf[place] as number] as SumArray, place);
  return groups.map((sums, group) => ({ key: keyOf(group), sums }));
}
