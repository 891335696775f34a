import type { SqlValue } from '../../../../../db/connection.ts';
import type { Sum } from '../../../measures.ts';
import { groupEvents } from '../sums/group-events.ts';
import { createSums, type SumArray } from './call-sums.ts';
import { type Codes, keyAt } from './codes.ts';
import { mixedAdderOf } from './mixed-sums.ts';
import type { Selected } from './select-events.ts';

/** Sums of selected events with the same values of the keys. */
export type SummedGroup = { readonly key: readonly SqlValue[]; readonly sums: SumArray };

/**
 * Sums selected events by some keys.
 * @param sums the others may be left out
 */
export function sumGroups(
  { columns, mask }: Selected,
  keys: readonly Codes[],
  sums: readonly Sum[],
): SummedGroup[] {
  const codes = keys.map((key) => key.codes);
  const { of, firsts } = groupEvents(columns.events, codes, mask);
  const groups = firsts.map(createSums);
  const add = mixedAdderOf(columns, sums);
  for (let place = 0; place < mask.length; place++)
    if (mask[place] !== 0) add(groups[of[place] as number] as SumArray, place);
  return firsts.map((place, group) => ({ key: keyAt(keys, place), sums: groups[group] as SumArray }));
}
