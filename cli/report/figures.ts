import { compactText, durationText, percentText, pointsOf } from '../../src/lib/figures.ts';
import { moneyColumn as amountsOf } from '../../src/lib/money-column.ts';
import { type Cell, missing, money } from '../format.ts';

const right = (text: string): Cell => ({ text, align: 'right' });
/** A large count in three digits: 2.13M. */
export const compact = (value: number): Cell => right(compactText(value));

/** A fraction 0 to 1 as a percentage with one decimal; smaller values show as `<0.1%`. */
export const percent = (fraction: number): Cell => right(percentText(fraction));

/** Milliseconds in a readable unit with three digits; a dash if nothing was measured. */
export const duration = (ms: number): Cell => (ms === 0 ? missing : right(durationText(ms)));

/** Formats the dollars of one column with the same number of decimals. */
export const moneyColumn = (values: readonly number[]): ((usd: number) => Cell) => {
  const write = amountsOf(values);
  return (usd) => ({ ...money(usd), text: write(usd) });
};

/** Difference of two fractions in percentage points; an increase is bad. */
export const pointChange = (current: number, previous: number): Cell => {
  const { text, sign } = pointsOf(current, previous);
  return sign === 0
    ? { text, tone: 'dim', align: 'right' }
    : { text, tone: sign > 0 ? 'bad' : 'good', align: 'right' };
};

const shades = ['░', '▒', '▓', '█'];

/** One character per count, darker the closer to `max`; zero is a dot. */
export const heat = (counts: readonly number[], max: number): string =>
  counts
    .map((count) => (count === 0 ? '·' : (shades[Math.ceil((count / Math.max(1, max)) * 4) - 1] ?? '█')))
    .join('');

/** Text in a tone, as a piece of a line. */
export const tinted = (text: string, tone: NonNullable<Cell['tone']>): Cell => ({ text, tone });

/** Length of a window in words: `30 days`, `24 hours`. */
export const lengthOf = ({ from, to }: { readonly from: number; readonly to: number }): string => {
  const hours = Math.round((to - from) / 3_600_000);
  if (hours >= 72) return `${Math.round(hours / 24)} days`;
  return hours > 1 ? `${hours} hours` : `${Math.max(1, Math.round((to - from) / 60_000))} minutes`;
};
