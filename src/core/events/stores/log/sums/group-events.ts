type Codes = ArrayLike<number>;

/** Events by the combination of their codes. */
export type EventGroups = {
  /** The group of each event, from 0. */
  readonly of: Uint32Array;
  /** The first event of each group. */
  readonly firsts: readonly number[];
};

/** Pairs of codes up to this number are looked up in an array instead of a map. */
const MOST_IN_ARRAY = 2 ** 20;

/** Groups `count` events by one or more columns of codes: whole numbers from 0 below 2^32. */
export function groupEvents(count: number, columns: readonly Codes[]): EventGroups {
  let groups: EventGroups = { of: new Uint32Array(count), firsts: [0].slice(0, count) };
  for (const codes of columns) groups = split(groups, codes);
  return groups;
}

/** Splits each group by another column. */
function split({ of, firsts }: EventGroups, codes: Codes): EventGroups {
  const count = of.length;
  let most = 0;
  for (let i = 0; i < count; i++) if ((codes[i] as number) > most) most = codes[i] as number;
  if (most === 0) return { of, firsts };
  const width = most + 1;
  const numberOf = createNumbers(firsts.length * width);
  const split = new Uint32Array(count);
  const splitFirsts: number[] = [];
  for (let i = 0; i < count; i++) {
    const number = numberOf((of[i] as number) * width + (codes[i] as number));
    if (number === splitFirsts.length) splitFirsts.push(i);
    split[i] = number;
  }
  return { of: split, firsts: splitFirsts };
}

/** Numbers keys below `limit` from 0 in the order of their first use. */
function createNumbers(limit: number): (key: number) => number {
  let next = 0;
  if (limit <= MOST_IN_ARRAY) {
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
