type Codes = ArrayLike<number>;

/** Events by the combination of their codes. */
export type EventGroups = {
  /** The group of each event, from 0. */
  readonly of: Uint32Array;
  /** The first event of each group. */
  readonly firsts: readonly number[];
};

/**
 * Combinations of codes are looked up in an array instead of a map up to this many, and up to a few per event: a larger
 * array takes longer to clear than a map to search.
 */
const LEAST_ARRAY = 4_096;
const ARRAY_PER_EVENT = 8;

/**
 * Groups `count` events by some columns of codes: whole numbers from 0 below 2^32.
 * @param mask 1 for each event to group, 0 for the others; all without it
 */
export function groupEvents(count: number, columns: readonly Codes[], mask?: Uint8Array): EventGroups {
  const first = mask === undefined ? 0 : mask.indexOf(1);
  let groups: EventGroups = {
    of: new Uint32Array(count),
    firsts: first === -1 || count === 0 ? [] : [first],
  };
  for (const codes of columns) groups = split(groups, codes, mask);
  return groups;
}

/** Splits each group by another column. */
function split({ of, firsts }: EventGroups, codes: Codes, mask: Uint8Array | undefined): EventGroups {
  const count = of.length;
  let most = 0;
  for (let i = 0; i < count; i++) if ((codes[i] as number) > most) most = codes[i] as number;
  if (most === 0) return { of, firsts };
  const width = most + 1;
  const numberOf = createNumbers(firsts.length * width, count);
  const split = new Uint32Array(count);
  const splitFirsts: number[] = [];
  for (let i = 0; i < count; i++) {
    if (mask !== undefined && mask[i] === 0) continue;
    const number = numberOf((of[i] as number) * width + (codes[i] as number));
    if (number === splitFirsts.length) splitFirsts.push(i);
    split[i] = number;
  }
  return { of: split, firsts: splitFirsts };
}

/** Numbers keys below `limit` from 0 in the order of their first use. */
function createNumbers(limit: number, events: number): (key: number) => number {
  let next = 0;
  if (limit <= Math.max(LEAST_ARRAY, ARRAY_PER_EVENT * events)) {
    const numbers = new Uint32Array(limit);
    return (key) => {
      if (numbers[key] === 0) numbers[key] = ++next;
      return (numbers[key] as number) - 1;
    };
  }
  const numbers = new Map<number, number>();
  return (key) => {
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, next);
    return next++;
  };
}
