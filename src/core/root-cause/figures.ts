import { apportion, type Comparison, shiftOf } from '../../lib/shift.ts';
import type { Side, Sides } from '../events/index.ts';
import type { RootCause } from './contract.ts';
import type { PercentileMeasure, ScoredMeasure, SummedMeasure } from './measures.ts';

/** Turns sums into the figures of the reply. */
export type Figures = {
  readonly comparison: Comparison;
  readonly measure: SummedMeasure | PercentileMeasure | ScoredMeasure;
  /** The change in the unit of the measure; null if one window has no value. */
  readonly change: number | null;
  /** Units of the measure that one unit of a shift stands for. */
  readonly factor: number;
  /** The percentiles of both windows, which no sums give. */
  readonly values?: readonly [before: number, after: number];
};

type Contributed = { readonly contribution: number; readonly share: number | null };

/** Parts of the change in the unit of the measure, rounded such that they add up to it, and their shares. */
export function contributionsOf(figures: Figures, parts: readonly Sides[]): Contributed[] {
  const { comparison, factor, measure, change } = figures;
  const shift = shiftOf(comparison);
  const exact = parts.map((sides) => shift(sides).change * factor);
  const units = apportion(exact, change ?? 0, measure.units);
  const whole = Math.round((change ?? 0) * measure.units);
  return units.map((own) => ({
    contribution: own / measure.units,
    share: whole === 0 ? null : own / whole,
  }));
}

/** The measure over the calls of one side; null without a value, and for percentiles. */
function measureOver({ comparison, measure }: Figures, side: Side): number | null {
  if (measure.kind === 'percentile') return null;
  if (!comparison.isRatio) return round(side.part * measure.factor, measure.units);
  return side.whole === 0 ? null : round((side.part / side.whole) * measure.factor, measure.units);
}

/** The figures of calls in both windows. */
export function sidesOf(
  figures: Figures,
  sides: Sides,
  share: number | null,
): Pick<RootCause['causes'][number], 'before' | 'after' | 'lift' | 'isNew'> {
  const { before, after } = sides;
  const { comparison } = figures;
  const fraction = after.calls / Math.max(1, comparison.totals.after.calls);
  return {
    lift: share === null || fraction === 0 ? null : round(share / fraction, 1e4),
    before: { calls: before.calls, value: measureOver(figures, before) },
    after: { calls: after.calls, value: measureOver(figures, after) },
    isNew: before.calls === 0 && after.calls > 0,
  };
}

/** Rounds to a multiple of `1 / units`. */
export const round = (value: number, units: number): number => Math.round(value * units) / units;
