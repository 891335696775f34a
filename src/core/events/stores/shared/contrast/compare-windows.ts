import { type Comparison, ratioBefore } from '../../../../../lib/shift.ts';
import type { Contrast, ContrastQuery } from '../../../contrast.ts';
import { chooseCandidates } from './candidates.ts';
import { addToCells, createCells, toCells } from './cells.ts';
import { AFTER, addToTally, BEFORE, createTally, toSides } from './tally.ts';
import type { RowValues, Source } from './values.ts';

/** Some calls, or scores, of one window. `mask` is 1 for those that are compared. */
export type WindowPart = RowValues & {
  readonly of: 'window' | 'baseline';
  readonly sources: readonly Source[];
  readonly mask: Uint8Array;
};

/** What is compared. `isRatio`: the measure is `part / whole`. */
export type WindowsQuery = Pick<ContrastQuery, 'window' | 'baseline' | 'values'> & {
  readonly isRatio: boolean;
};

/** Whether a measure of calls is one sum divided by another. */
export const isRatioMeasure = (measure: ContrastQuery['measure']): boolean =>
  'of' in measure || measure.whole !== null;

/**
 * Compares two windows in every dimension. The first pass sums the calls by value and chooses candidates; the second
 * one sums them by the combination of candidates that they have.
 * @param partsOf reads the parts; it is called once for each pass
 */
export function compareWindows(
  { window, baseline, values, isRatio }: WindowsQuery,
  partsOf: () => Iterable<WindowPart>,
): Contrast {
  const tally = createTally();
  for (const part of partsOf()) addToTally(tally, offsetOf(part), part.sources, part);
  const totals = toSides(tally.totals);
  const scale = (window.to - window.from) / (baseline.to - baseline.from);
  const comparison: Comparison = { totals, isRatio, scale };
  const { groups, candidates } = chooseCandidates(tally, comparison, values);
  const cells = createCells(candidates);
  const average = isRatio ? ratioBefore(comparison) : 0;
  for (const part of partsOf()) addToCells(cells, { offset: offsetOf(part), average }, part.sources, part);
  return { totals, groups, candidates: candidates.slice(0, cells.bits), cells: toCells(cells) };
}

const offsetOf = ({ of }: WindowPart): typeof BEFORE | typeof AFTER => (of === 'window' ? AFTER : BEFORE);
