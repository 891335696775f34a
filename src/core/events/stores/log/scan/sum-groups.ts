import type { SqlValue } from '../../../../../db/connection.ts';
import type { Sum } from '../../../measures.ts';
import { groupEvents } from '../sums/group-events.ts';
import { adderOf, createSums, type SumArray } from './call-sums.ts';
import type { Chunk } from './chunk.ts';
import { type Codes, keyAt } from './codes.ts';

/** Sums of the selected events of a chunk with the same values of the keys. */
export type SummedGroup = { readonly key: readonly SqlValue[]; readonly sums: SumArray };

/**
 * Sums the selected events of a chunk by some keys.
 * @param mask 1 for each selected event
 * @param sums the others may be left out
 */
export function sumGroups(
  chunk: Chunk,
  mask: Uint8Array,
  keys: readonly Codes[],
  sums: readonly Sum[],
): SummedGroup[] {
  const columns = keys.map(({ codes }) => codes);
  const { of, firsts } = groupEvents(chunk.events, columns, mask);
  const groups = firsts.map(createSums);
  const add = adderOf(chunk, sums);
  for (let place = 0; place < mask.length; place++)
    if (mask[place] !== 0) add(groups[of[place] as number] as SumArray, place);
  return firsts.map((place, group) => ({ key: keyAt(keys, place), sums: groups[group] as SumArray }));
}
