import type { ContrastCell } from '../../../contrast.ts';
import type { Candidate } from './candidates.ts';
import { AFTER, BEFORE, toSides, type WindowOffset } from './tally.ts';
import type { RowValues, Source } from './values.ts';

/** Most cells; beyond, the least likely candidate is no longer told apart. */
const MAX_CELLS = 4_096;
/** The six sums of a pair, and the sum of squares in each window. */
const WIDTH = 8;
const SQUARES = 6;

/** Calls of both windows by the candidates that they have. */
export type Cells = {
  readonly bitOf: ReadonlyMap<string, number>;
  sums: Map<number, Float64Array>;
  /** Bits that are told apart. */
  bits: number;
};

const idOf = (dimension: string, value: string): string => `${dimension}\0${value}`;

export const createCells = (candidates: readonly Candidate[]): Cells => ({
  bitOf: new Map(candidates.map(({ dimension, value }, i) => [idOf(dimension, value), 1 << i])),
  sums: new Map(),
  bits: candidates.length,
});

/** Adds the selected calls of a chunk. `average`: the ratio that squares are taken from; 0 for sums. */
export function addToCells(
  cells: Cells,
  { offset, average }: { readonly offset: WindowOffset; readonly average: number },
  sources: readonly Source[],
  { mask, parts, wholes }: RowValues & { readonly mask: Uint8Array },
): void {
  const masks = masksOf(cells, sources, mask);
  const square = SQUARES + (offset === BEFORE ? 0 : 1);
  for (let place = 0; place < mask.length; place++) {
    if (mask[place] === 0) continue;
    const part = parts[place] as number;
    const whole = wholes[place] as number;
    const own = cellOf(cells, masks[place] as number);
    const distance = part - average * whole;
    own[offset] = (own[offset] as number) + 1;
    own[offset + 1] = (own[offset + 1] as number) + part;
    own[offset + 2] = (own[offset + 2] as number) + whole;
    own[square] = (own[square] as number) + distance * distance;
  }
}

function cellOf(cells: Cells, mask: number): Float64Array {
  const known = cells.sums.get(mask & ((1 << cells.bits) - 1));
  if (known !== undefined) return known;
  while (cells.sums.size >= MAX_CELLS) forgetLast(cells);
  const kept = mask & ((1 << cells.bits) - 1);
  const made = cells.sums.get(kept) ?? new Float64Array(WIDTH);
  cells.sums.set(kept, made);
  return made;
}

/** Merges the cells that differ in the last candidate only. */
function forgetLast(cells: Cells): void {
  cells.bits--;
  const merged = new Map<number, Float64Array>();
  for (const [mask, sums] of cells.sums) {
    const kept = mask & ((1 << cells.bits) - 1);
    const own = merged.get(kept);
    if (own === undefined) merged.set(kept, sums);
    else for (let i = 0; i < WIDTH; i++) own[i] = (own[i] as number) + (sums[i] as number);
  }
  cells.sums = merged;
}

/** The candidates of each selected call, as bits. */
function masksOf({ bitOf }: Cells, sources: readonly Source[], selected: Uint8Array): Uint32Array {
  const masks = new Uint32Array(selected.length);
  for (const { codes, valuesOf } of sources) {
    const known = new Map<number, number>();
    for (let place = 0; place < selected.length; place++) {
      if (selected[place] === 0) continue;
      const code = codes[place] as number;
      let bits = known.get(code);
      if (bits === undefined) {
        bits = valuesOf(code).reduce((all, [name, value]) => all | (bitOf.get(idOf(name, value)) ?? 0), 0);
        known.set(code, bits);
      }
      masks[place] = (masks[place] as number) | bits;
    }
  }
  return masks;
}

export const toCells = ({ sums }: Cells): ContrastCell[] =>
  [...sums].map(([mask, own]) => ({
    mask,
    ...toSides(own.subarray(BEFORE, AFTER + AFTER)),
    squares: [own[SQUARES] as number, own[SQUARES + 1] as number],
  }));
