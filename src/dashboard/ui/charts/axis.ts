import { compactText, moneyText, percentText } from '../../../lib/figures.ts';
import { FIGURES, type FigureKind } from '../format.ts';

export type Axis = { readonly ticks: readonly number[]; readonly text: (value: number) => string };

/** Steps that read naturally, ascending, of one magnitude. */
const DECIMAL = [1, 2, 2.5, 5, 10];
const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000];
const TIMES = [1, 2, 5, 10, 15, 30].flatMap((n) => [n * SECOND, n * MINUTE, n * HOUR]).sort((a, b) => a - b);
const MOST_STEPS = 5;

/**
 * The ticks of an axis from 0 to a greatest value, at most six with round steps, in one unit.
 * @param most the greatest value that is drawn; 0 or less for none
 */
export function axisOf(kind: FigureKind, most: number): Axis {
  const top = Number.isFinite(most) && most > 0 ? most : 1;
  const step = stepOf(kind, top / MOST_STEPS);
  const count = Math.max(1, Math.ceil(top / step - 1e-9));
  // Multiplied, not added up: 0.1 + 0.2 is no 0.3.
  const ticks = Array.from({ length: count + 1 }, (_, n) => Number((n * step).toPrecision(12)));
  return { ticks, text: textOf(kind, step, ticks.at(-1) ?? top) };
}

function stepOf(kind: FigureKind, least: number): number {
  if (kind === 'duration' && least > SECOND / 2) {
    const found = TIMES.find((step) => step >= least);
    if (found !== undefined) return found;
  }
  const power = 10 ** Math.floor(Math.log10(least));
  const factor = DECIMAL.find((one) => one * power >= least * (1 - 1e-9)) ?? 10;
  const step = factor * power;
  // A count has no parts.
  return kind === 'count' ? Math.max(1, Math.ceil(step)) : step;
}

/** Writes all ticks in the unit of the last one, with as many decimals as the step needs. */
function textOf(kind: FigureKind, step: number, top: number): (value: number) => string {
  if (kind === 'money')
    return (value) => (step >= 0.01 ? `$${value.toFixed(step >= 1 ? 0 : 2)}` : moneyText(value));
  if (kind === 'duration') {
    const [length, unit] =
      top < SECOND
        ? [1, 'ms']
        : top < 2 * MINUTE
          ? [SECOND, 's']
          : top < 2 * HOUR
            ? [MINUTE, 'min']
            : [HOUR, 'h'];
    return (value) => `${(value / length).toFixed(decimalsOf(step / length))} ${unit}`;
  }
  if (kind === 'fraction')
    return (value) =>
      step >= 0.01 ? `${(value * 100).toFixed(decimalsOf(step * 100))}%` : percentText(value);
  return kind === 'bytes'
    ? FIGURES.bytes.short
    : (value) => (value < 10_000 ? plain(value) : compactText(value));
}

const plain = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 2 });
const decimalsOf = (step: number): number => (step >= 1 && Number.isInteger(step) ? 0 : step >= 0.1 ? 1 : 2);
