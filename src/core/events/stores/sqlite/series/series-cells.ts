import type { SqlValue } from '../../../../../db/connection.ts';
import type { Dimension } from '../../../metrics.ts';
import type { SeriesPart, SeriesShape } from '../../../series.ts';
import { dimensionValue } from '../../shared/metrics/dimensions.ts';
import { createSums, S, type SumArray } from '../scan/call-sums.ts';

/** Bins of a time and their counts. */
export type Bins = Map<number, number>;

/** Sums of one step and group. */
export type Cell = {
  readonly step: number;
  readonly group: number;
  readonly sums: SumArray;
  readonly times: readonly Bins[];
};

/** The cells of one shape in one range. */
export type Cells = {
  /** The cell of a step and a value of the dimension; made if there is none. */
  at(step: number, value: SqlValue): Cell;
  /** Those with calls or, where they count, events of guardrails. */
  toPart(range: number, shape: number): SeriesPart;
};

/** More groups than fit in memory, so that a step, of which there are fewer than 2^26, and a group make one number. */
const GROUPS = 2 ** 26;

export function createCells({ groupBy, times, sums }: SeriesShape): Cells {
  const groups = new Map<string, number>();
  const byValue = new Map<SqlValue, number>();
  const cells = new Map<number, Cell>();

  function groupOf(value: SqlValue): number {
    const known = byValue.get(value);
    if (known !== undefined) return known;
    const name = nameOf(groupBy, value);
    const group = groups.get(name) ?? groups.size;
    groups.set(name, group);
    byValue.set(value, group);
    return group;
  }

  return {
    at(step, value) {
      const group = groupOf(value);
      const id = step * GROUPS + group;
      const known = cells.get(id);
      if (known !== undefined) return known;
      const cell = { step, group, sums: createSums(), times: times.map((): Bins => new Map()) };
      cells.set(id, cell);
      return cell;
    },
    toPart(range, shape) {
      const places = sums.map((name) => S[name]);
      // What was counted and taken off again is not a cell.
      const found = [...cells.values()].filter(
        (cell) => cell.sums[S.requests] !== 0 || cell.sums[S.guardrail_checks] !== 0,
      );
      return {
        range,
        shape,
        groups: [...groups.keys()],
        cells: found.flatMap((cell) => [
          cell.step,
          cell.group,
          ...places.map((place) => cell.sums[place] as number),
        ]),
        times: found.flatMap((cell) => cell.times.map(countedBins)),
      };
    },
  };
}

const nameOf = (groupBy: Dimension | null, value: SqlValue): string =>
  groupBy === null ? '' : (dimensionValue(groupBy, value) ?? '');

const countedBins = (bins: Bins): number[] => [...bins].filter(([, count]) => count !== 0).flat();

/** Counts values of a bin. */
export function addBin(bins: Bins, bin: number, count: number): void {
  bins.set(bin, (bins.get(bin) ?? 0) + count);
}
