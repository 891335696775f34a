import { type BinCounter, createBinCounter } from '../../../lib/sketch.ts';
import type { AlertMeasure } from '../contract.ts';
import type { Cell, Cells } from './cells.ts';
import { eachCell, type Span } from './minutes.ts';

/** Sums of a span by group. Groups without calls in it have zeros. */
export type Totals = {
  /** The sum at a place of the shape's sums. */
  sum(group: number, place: number): number;
  /** Groups with calls. */
  readonly groups: ReadonlySet<number>;
  /** The percentile of the shape's time in whole microseconds; null without a value. */
  quantile(group: number, q: number): number | null;
  /** Values of groups that were computed before, by measure: rules with the same window share them. */
  readonly values: Map<AlertMeasure, (number | null)[]>;
};

/** Adds up the cells of a span. All of them must be known. */
export function totalsOf(cells: Cells, span: Span): Totals {
  const { width } = cells;
  const parts: Cell[] = [];
  eachCell(span, (step, index) => {
    const cell = cells.get(step, index);
    if (cell === undefined) throw new Error(`cell ${step} ${index} was not read`);
    if (cell.ids.length > 0) parts.push(cell);
  });
  const sums = new Float64Array(cells.names.length * width);
  const groups = new Set<number>();
  let counter: BinCounter | undefined;
  for (const part of parts)
    for (let place = 0; place < part.ids.length; place++) {
      const id = part.ids[place] as number;
      groups.add(id);
      for (let i = 0; i < width; i++)
        sums[id * width + i] = (sums[id * width + i] as number) + (part.sums[place * width + i] as number);
    }
  return {
    sum: (group, place) => sums[group * width + place] ?? 0,
    groups,
    quantile(group, q) {
      counter ??= createBinCounter();
      return quantileOf(parts, group, q, counter);
    },
    values: new Map(),
  };
}

function quantileOf(parts: readonly Cell[], group: number, q: number, counter: BinCounter): number | null {
  for (const { ids, times } of parts) {
    const place = placeOf(ids, group);
    const pairs = place === -1 ? [] : (times[place] ?? []);
    for (let i = 0; i < pairs.length; i += 2) counter.add(pairs[i] as number, pairs[i + 1] as number);
  }
  return counter.takeQuantile(q);
}

/** The place of a number in an ascending array; -1 if it is not there. */
function placeOf(ids: Uint32Array, id: number): number {
  let [low, high] = [0, ids.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = ids[middle] as number;
    if (found === id) return middle;
    if (found < id) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
