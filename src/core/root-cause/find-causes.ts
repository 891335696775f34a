import { type Comparison, scoreOf, shiftOf } from '../../lib/shift.ts';
import {
  CONTRAST_DIMENSIONS,
  type Contrast,
  type ContrastCell,
  type ContrastDimension,
  type Side,
  type Sides,
} from '../events/index.ts';

/** A value of a dimension. */
export type CauseValue = { readonly dimension: ContrastDimension; readonly value: string };

/**
 * Calls that explain a part of a change: those that have all of `values`; without any, all calls. `sides` are the sums of
 * all of them, `own` of those that no cause before has.
 */
export type Cause = { readonly values: readonly CauseValue[]; readonly sides: Sides; readonly own: Sides };

/** Causes, the best explanation first, and the sums of the calls that none of them has. */
export type Causes = { readonly causes: readonly Cause[]; readonly rest: Sides };

const MAX_CAUSES = 5;
/** A cause explains at least this part of the whole change. */
const MIN_SHARE = 0.05;
/**
 * Standard deviations by which a change must exceed what chance brings about. Means of latencies vary more than their
 * squares say.
 */
const MIN_DEVIATIONS = { sum: 3.5, ratio: 5 };
/** A combination must explain so much better than either of its values. */
const PAIR_ADVANTAGE = 1.2;
/** And it must have this part of the change of each of its values: both are there because of it. */
const PAIR_PART = 0.7;
/** Explanations this close to the best one are as good; the simpler one is taken. */
const AS_GOOD = 0.97;

/** Explanations that differ by rounding only. */
const EQUAL = 1e-9;

/** A cell while causes are taken out of it. */
type Cell = ContrastCell & { change: number; readonly size: number };
/** A set of calls by the candidates that they must have, as bits. */
type Hypothesis = {
  readonly mask: number;
  readonly change: number;
  readonly size: number;
  readonly score: number;
  readonly isNew: boolean;
};

/**
 * Finds the calls whose change explains the change of a measure. Each round takes the set of calls (one value, two
 * values, or all calls) that reduces the squared error of "nothing has changed" most, where each set is measured by the
 * square of its change divided by its size. This prefers a model over its provider, whose other models have not changed,
 * and over each of its users, who have a small part of the change. The change is then taken out of these calls, and the
 * next round explains what remains.
 * @param skipped dimensions that describe the change but do not cause it
 */
export function findCauses(
  { candidates, cells: given, totals }: Contrast,
  comparison: Comparison,
  skipped: readonly ContrastDimension[],
): Causes {
  const whole = shiftOf(comparison)(totals).change;
  const usable = candidates.map(({ dimension }, i) => ({ dimension, bit: 1 << i }));
  const bits = usable.filter(({ dimension }) => !skipped.includes(dimension));
  const explain = (withAll: boolean): readonly Hypothesis[] =>
    explainBy({ cells: given.map((cell) => toCell(cell, comparison)), bits, comparison, whole, withAll });
  const found = simplest(explain(true), explain).map(({ mask }) => mask);
  const causes = found.map((mask, i): Cause => {
    const earlier = found.slice(0, i);
    const all = given.filter((cell) => has(cell, mask));
    return {
      values: candidates.filter((_, bit) => (mask & (1 << bit)) !== 0),
      sides: sumOf(all),
      own: sumOf(all.filter((cell) => !earlier.some((other) => has(cell, other)))),
    };
  });
  return { causes, rest: sumOf(given.filter((cell) => !found.some((mask) => has(cell, mask)))) };
}

type Search = {
  readonly cells: readonly Cell[];
  readonly bits: readonly Bit[];
  readonly comparison: Comparison;
  /** The whole change. */
  readonly whole: number;
  /** Whether all calls together may be an explanation. */
  readonly withAll: boolean;
};

/** Takes one explanation after another out of the cells. */
function explainBy(search: Search): Hypothesis[] {
  const found: Hypothesis[] = [];
  while (found.length < MAX_CAUSES) {
    const best = bestOf(search);
    if (best === null || found.some(({ mask }) => mask === best.mask)) break;
    found.push(best);
    takeOut(search.cells, best);
  }
  return found;
}

/** Two causes can look like a change of all calls. They are named if as many of them explain more. */
function simplest(
  found: readonly Hypothesis[],
  explain: (withAll: boolean) => readonly Hypothesis[],
): readonly Hypothesis[] {
  if (!found.some(({ mask }) => mask === 0)) return found;
  const named = explain(false);
  return explainedBy(named.slice(0, found.length)) > explainedBy(found) ? named : found;
}

const explainedBy = (found: readonly Hypothesis[]): number =>
  found.reduce((sum, { score }) => sum + score, 0);

const has = ({ mask }: { readonly mask: number }, wanted: number): boolean => (mask & wanted) === wanted;

const toCell = (cell: ContrastCell, comparison: Comparison): Cell => ({
  ...cell,
  ...shiftOf(comparison)(cell),
});

type Bit = { readonly dimension: ContrastDimension; readonly bit: number };

/** The best explanation of what the cells have left; null if there is none. */
function bestOf(search: Search): Hypothesis | null {
  const { bits, withAll } = search;
  const judge = (mask: number): Hypothesis | null => judgeMask(search, mask);
  const singles = bits.flatMap((one) => {
    const judged = judge(one.bit);
    return judged === null ? [] : [{ ...judged, dimension: one.dimension }];
  });
  const top = Math.max(0, ...singles.map(({ score }) => score));
  const [single = null] = singles
    .filter(({ score }) => score >= AS_GOOD * top)
    .sort((a, b) => Number(b.isNew) - Number(a.isNew) || rankOf(a) - rankOf(b) || b.score - a.score);
  const pair = bestPair(bits, search.cells, judge);
  const all = withAll ? judge(0) : null;
  const named = pair !== null && pair.score > PAIR_ADVANTAGE * top ? pair : single;
  // Where only some calls have what the measure counts, they say more than all calls, and explain as much.
  return all !== null && all.score > (named?.score ?? 0) * (1 + EQUAL) ? all : named;
}

const rankOf = ({ dimension }: { readonly dimension: ContrastDimension }): number => {
  const rank = (CONTRAST_DIMENSIONS as readonly string[]).indexOf(dimension);
  return rank === -1 ? CONTRAST_DIMENSIONS.indexOf('environment') - 0.5 : rank;
};

function bestPair(
  bits: readonly Bit[],
  cells: readonly Cell[],
  judge: (mask: number) => Hypothesis | null,
): Hypothesis | null {
  const changeOf = (mask: number): number =>
    Math.abs(sum(cells, (cell) => (has(cell, mask) ? cell.change : 0)));
  let best: Hypothesis | null = null;
  for (const [i, a] of bits.entries())
    for (const b of bits.slice(i + 1)) {
      if (a.dimension === b.dimension) continue;
      const judged = judge(a.bit | b.bit);
      if (judged === null || judged.score <= (best?.score ?? 0)) continue;
      if (Math.abs(judged.change) >= PAIR_PART * Math.max(changeOf(a.bit), changeOf(b.bit))) best = judged;
    }
  return best;
}

/** A set of calls as an explanation; null if its change is too small, by chance, or in the other direction. */
function judgeMask(search: Search, mask: number): Hypothesis | null {
  const { cells, whole } = search;
  const own = cells.filter((cell) => has(cell, mask));
  const change = sum(own, (cell) => cell.change);
  if (change * whole <= 0 || Math.abs(change) < MIN_SHARE * Math.abs(whole)) return null;
  const deviations = MIN_DEVIATIONS[search.comparison.isRatio ? 'ratio' : 'sum'];
  if (change * change < deviations ** 2 * varianceOf(own, search)) return null;
  const size = sum(own, (cell) => cell.size);
  return {
    mask,
    change,
    size,
    score: scoreOf({ change, size }),
    isNew: own.every(({ before }) => before.calls === 0),
  };
}

/** Calls of the average kind that join those of a set, so that a few calls do not look as if they never varied. */
const AVERAGE_CALLS = 200;

/**
 * How much the change of some calls varies by chance, if nothing changed. Calls come at random, so the sum of their
 * squares estimates the variance of a sum. Of a ratio, calls vary as they did in the baseline.
 */
function varianceOf(cells: readonly Cell[], { comparison, cells: all }: Search): number {
  const { totals, isRatio, scale } = comparison;
  const [before, after] = [squaresOf(cells, 0), squaresOf(cells, 1)];
  if (!isRatio) return after + scale * scale * before;
  const average = (squaresOf(all, 0) + squaresOf(all, 1)) / (totals.before.calls + totals.after.calls);
  const [own, present] = [sum(cells, (cell) => cell.before.calls), sum(cells, (cell) => cell.after.calls)];
  const perCall = (before + AVERAGE_CALLS * average) / (own + AVERAGE_CALLS);
  return perCall * (present / totals.after.whole ** 2 + own / totals.before.whole ** 2);
}

const squaresOf = (cells: readonly Cell[], place: 0 | 1): number =>
  sum(cells, ({ squares }) => squares[place]);

const sum = (cells: readonly Cell[], of: (cell: Cell) => number): number =>
  cells.reduce((all, cell) => all + of(cell), 0);

/** Takes the change of a set out of its cells, in proportion to their size. */
function takeOut(cells: readonly Cell[], { mask, change, size }: Hypothesis): void {
  for (const cell of cells) if (has(cell, mask)) cell.change -= (change * cell.size) / size;
}

const sumOf = (cells: readonly Sides[]): Sides => ({
  before: sumSide(cells.map(({ before }) => before)),
  after: sumSide(cells.map(({ after }) => after)),
});

const sumSide = (sides: readonly Side[]): Side => ({
  calls: sides.reduce((sum, { calls }) => sum + calls, 0),
  part: sides.reduce((sum, { part }) => sum + part, 0),
  whole: sides.reduce((sum, { whole }) => sum + whole, 0),
});
