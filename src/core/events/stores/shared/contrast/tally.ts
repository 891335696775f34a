import type { ContrastDimension, Side, Sides } from '../../../contrast.ts';
import type { RowValues, Source } from './values.ts';

/** Place of a window's sums in an array of sums: calls, part, whole of the baseline, then those of the window. */
export type WindowOffset = typeof BEFORE | typeof AFTER;
export const BEFORE = 0;
export const AFTER = 3;
const WIDTH = 6;

/** Sums of both windows, in that order. */
export type PairSums = Float64Array;
export const createPair = (): PairSums => new Float64Array(WIDTH);

/** Distinct values per dimension that are told apart; the calls of later ones count as others. */
const MAX_VALUES = 100_000;
/** Tags that are told apart; a project with more of them uses tags as values. */
const MAX_TAGS = 40;

/** Sums per value and dimension over both windows. */
export type Tally = {
  readonly totals: PairSums;
  readonly values: Map<ContrastDimension, Map<string, PairSums>>;
};

export const createTally = (): Tally => ({ totals: createPair(), values: new Map() });

/** Adds the selected calls of a chunk. */
export function addToTally(
  tally: Tally,
  offset: WindowOffset,
  sources: readonly Source[],
  { mask, parts, wholes }: RowValues & { readonly mask: Uint8Array },
): void {
  let isTotal = true;
  for (const { codes, valuesOf } of sources) {
    const sums = sumByCode(codes, { mask, parts, wholes });
    for (const [code, own] of sums) {
      if (isTotal) addAt(tally.totals, offset, own);
      for (const [dimension, value] of valuesOf(code)) {
        const pair = pairOf(tally, dimension, value);
        if (pair !== null) addAt(pair, offset, own);
      }
    }
    isTotal = false;
  }
}

function addAt(pair: PairSums, offset: number, own: Float64Array): void {
  for (let i = 0; i < AFTER; i++) pair[offset + i] = (pair[offset + i] as number) + (own[i] as number);
}

function sumByCode(
  codes: ArrayLike<number>,
  { mask, parts, wholes }: RowValues & { readonly mask: Uint8Array },
): Map<number, Float64Array> {
  const sums = new Map<number, Float64Array>();
  let last = -1;
  let own: Float64Array = new Float64Array(AFTER);
  for (let place = 0; place < mask.length; place++) {
    if (mask[place] === 0) continue;
    const code = codes[place] as number;
    if (code !== last) {
      own = sums.get(code) ?? new Float64Array(AFTER);
      sums.set(code, own);
      last = code;
    }
    own[0] = (own[0] as number) + 1;
    own[1] = (own[1] as number) + (parts[place] as number);
    own[2] = (own[2] as number) + (wholes[place] as number);
  }
  return sums;
}

function pairOf({ values }: Tally, dimension: ContrastDimension, value: string): PairSums | null {
  let own = values.get(dimension);
  if (own === undefined) {
    if (dimension.startsWith('tag:') && values.size > MAX_TAGS) return null;
    own = new Map();
    values.set(dimension, own);
  }
  const known = own.get(value);
  if (known !== undefined) return known;
  if (own.size >= MAX_VALUES) return null;
  const made = createPair();
  own.set(value, made);
  return made;
}

const sideAt = (pair: PairSums, offset: WindowOffset): Side => ({
  calls: pair[offset] as number,
  part: pair[offset + 1] as number,
  whole: pair[offset + 2] as number,
});

/** Sums of both windows by name. */
export const toSides = (pair: PairSums): Sides => ({
  before: sideAt(pair, BEFORE),
  after: sideAt(pair, AFTER),
});
