import type { SqlValue } from '../../../../../db/connection.ts';
import type { Codes } from './codes.ts';

/** The selected events of a chunk in groups, numbered from 0. */
export type Grouping = {
  readonly count: number;
  /** The group of each selected event. */
  readonly groupOf: Uint32Array;
  /** The values of a group, in the order of the keys. */
  keyOf(group: number): SqlValue[];
};

/** Larger tables cost more to clear than a Map to search. */
const LEAST_TABLE = 4_096;
const TABLE_PER_EVENT = 4;

/**
 * Groups the selected events of a chunk by some keys. It refines the groups key by key, so that an event costs a few
 * array accesses per key and texts are touched once per group.
 * @param mask 1 for each selected event
 */
export function groupPlaces(mask: Uint8Array, keys: readonly Codes[]): Grouping {
  const groupOf = new Uint32Array(mask.length);
  const levels = keys.map(() => ({ parents: [] as number[], codes: [] as number[] }));
  let count = 1;
  for (const [i, key] of keys.entries()) {
    const level = levels[i] as (typeof levels)[number];
    refine(mask, groupOf, { ...key, count, level });
    count = level.codes.length;
  }
  return {
    count,
    groupOf,
    keyOf(group) {
      const values: SqlValue[] = [];
      let at = group;
      for (let i = keys.length - 1; i >= 0; i--) {
        const { parents, codes } = levels[i] as (typeof levels)[number];
        values.unshift((keys[i] as Codes).valueOf(codes[at] as number));
        at = parents[at] as number;
      }
      return values;
    },
  };
}

type Level = { readonly parents: number[]; readonly codes: number[] };

function refine(
  mask: Uint8Array,
  groupOf: Uint32Array,
  { codes, size, count, level }: Codes & { readonly count: number; readonly level: Level },
): void {
  const isDense = count * size <= Math.max(LEAST_TABLE, TABLE_PER_EVENT * mask.length);
  const dense = new Uint32Array(isDense ? count * size : 0);
  const sparse = new Map<number, number>();
  for (let place = 0; place < mask.length; place++) {
    if (mask[place] === 0) continue;
    const parent = groupOf[place] as number;
    const code = codes[place] as number;
    const id = parent * size + code;
    let number = isDense ? (dense[id] as number) : (sparse.get(id) ?? 0);
    if (number === 0) {
      level.parents.push(parent);
      number = level.codes.push(code);
      if (isDense) dense[id] = number;
      else sparse.set(id, number);
    }
    groupOf[place] = number - 1;
  }
}
