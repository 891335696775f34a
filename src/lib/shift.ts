/** Sums of some calls in one window: the measure is `part`, or `part / whole` for a ratio. */
export type Side = { readonly calls: number; readonly part: number; readonly whole: number };
/** The same calls' sums in the baseline and in the window. */
export type Sides = { readonly before: Side; readonly after: Side };

/** Share of a change that some calls explain. Linear in the sums, so the shifts of disjoint calls add up exactly. */
export type Shift = {
  /** In the unit of the measure. */
  readonly change: number;
  /** Calls, tokens or dollars behind it, on a common scale; the square of a change divided by it ranks causes. */
  readonly size: number;
};

/** How two windows compare. */
export type Comparison = {
  readonly totals: Sides;
  readonly isRatio: boolean;
  /** Length of the window divided by that of the baseline; sums of the baseline are scaled by it. */
  readonly scale: number;
};

const divide = (a: number, b: number): number => (b === 0 ? 0 : a / b);

/** The ratio of the baseline; if it has none, that of the window. */
export function ratioBefore({ totals: { before, after } }: Comparison): number {
  return before.whole === 0 ? divide(after.part, after.whole) : before.part / before.whole;
}

/**
 * The share of some calls in the change of a measure.
 *
 * - Sums: `after − scale · before`.
 * - Ratios: `(part₁ − R·whole₁) / W₁ − (part₀ − R·whole₀) / W₀`, where `R` is the ratio of the whole baseline and `W`
 *   are the totals. It says how far the ratio would be from the present one if these calls had been average calls of
 *   the baseline. It is the sum of a rate effect (their own ratio changed) and a mix effect (their share changed).
 */
export function shiftOf(comparison: Comparison): (sides: Sides) => Shift {
  const { totals, isRatio, scale } = comparison;
  if (!isRatio)
    return ({ before, after }) => ({
      change: after.part - scale * before.part,
      size: Math.abs(after.part) + scale * Math.abs(before.part),
    });
  const average = ratioBefore(comparison);
  const [wholeBefore, wholeAfter] = [totals.before.whole, totals.after.whole];
  return ({ before, after }) => ({
    change:
      divide(after.part - average * after.whole, wholeAfter) -
      divide(before.part - average * before.whole, wholeBefore),
    size: divide(after.whole, wholeAfter) + divide(before.whole, wholeBefore),
  });
}

/** How well some calls explain a change: the reduction of its squared error if they alone had changed. */
export const scoreOf = ({ change, size }: Shift): number => (size <= 0 ? 0 : (change * change) / size);

/**
 * A change in two parts that add up to it: because the value per call changed (`own`), and because there are more or
 * fewer of these calls (`volume`; of a ratio: because their share of all calls changed). Calls that the baseline does
 * not have differ by their number in sums, by their own value in ratios.
 */
export function effectsOf(comparison: Comparison, sides: Sides): { own: number; volume: number } {
  const { change } = shiftOf(comparison)(sides);
  const { before, after } = sides;
  if (!comparison.isRatio) {
    const own = before.calls === 0 ? 0 : after.part - (after.calls * before.part) / before.calls;
    return { own, volume: change - own };
  }
  if (after.whole === 0) return { own: 0, volume: change };
  const usual = before.whole === 0 ? ratioBefore(comparison) : before.part / before.whole;
  const own = divide(after.part - usual * after.whole, comparison.totals.after.whole);
  return { own, volume: change - own };
}

/**
 * Rounds numbers to multiples of `1 / units` such that they add up to the rounded total: those that are cut most get
 * what is missing.
 * @returns whole numbers of the smallest unit
 */
export function apportion(values: readonly number[], total: number, units: number): number[] {
  const exact = values.map((value) => value * units);
  const whole = exact.map(Math.floor);
  const missing = Math.round(total * units) - whole.reduce((sum, value) => sum + value, 0);
  const order = exact
    .map((value, place) => ({ place, cut: value - Math.floor(value) }))
    .sort((a, b) => b.cut - a.cut || a.place - b.place);
  for (let i = 0; i < Math.abs(missing) && order.length > 0; i++) {
    const place = order[missing > 0 ? i % order.length : order.length - 1 - (i % order.length)]?.place ?? 0;
    whole[place] = (whole[place] ?? 0) + Math.sign(missing);
  }
  return whole;
}
