import { type CostMark, costMark } from '../src/lib/billing/cost-mark.ts';
import { withoutControls } from '../src/lib/control-characters.ts';
import { changeOf, moneyText, numberText } from '../src/lib/figures.ts';

/** Meaning of a piece of text; `output.ts` may turn it into colour. */
export type Tone = 'plain' | 'dim' | 'accent' | 'good' | 'bad' | 'warn' | 'bold';

/** Formatted text with its meaning. */
export interface Cell {
  readonly text: string;
  readonly tone?: Tone;
  readonly align?: 'right';
}

/** Contents of a table cell. A number is grouped and right-aligned; null is a dim dash. */
export type CellValue = string | number | null | undefined | Cell;

/** Stands for a value that there is none of. */
export const missing: Cell = { text: '–', tone: 'dim', align: 'right' };

/** A count or measure with thousands separators and at most two decimals. */
export const number = (value: number | null | undefined): Cell =>
  value === null || value === undefined ? missing : { text: numberText(value), align: 'right' };

/**
 * US dollars: cents from one dollar up, three significant digits below. Null is a dash, because an
 * unknown price is not a price of zero.
 */
export const money = (usd: number | null | undefined): Cell =>
  usd === null || usd === undefined ? missing : { text: moneyText(usd), align: 'right' };

const UNPRICED: Cell = { text: 'no price', tone: 'warn', align: 'right' };

/** A cost of which a part or nothing may be known. */
export const markedCost = (cost: Cell, mark: CostMark): Cell =>
  mark === 'known' ? cost : mark === 'unpriced' ? UNPRICED : { ...cost, text: `≥ ${cost.text}` };

/** The cost of calls of which some may have no price: at least that much, or none at all. */
export const knownCost = (cost: Cell, counts: { unpriced: number; calls: number }): Cell =>
  markedCost(cost, costMark(counts));

/** Integer nano-dollars as the ledger stores them, shown as dollars. */
export const moneyNano = (nano: number | bigint | null | undefined): Cell =>
  money(nano === null || nano === undefined ? null : Number(nano) / 1e9);

/**
 * Change from `previous` to `current` in percent; a dash when there is nothing to compare with.
 * @param rising meaning of an increase: bad for costs and errors, neutral for traffic.
 */
export const percentChange = (
  current: number,
  previous: number | null | undefined,
  rising: 'good' | 'bad' | 'neutral' = 'neutral',
): Cell => {
  const change = changeOf(current, previous);
  if (change === null) return missing;
  const { text, sign } = change;
  // An increase from almost nothing is neither good nor bad.
  const isVast = text.startsWith('>');
  if (rising === 'neutral' || sign === 0 || isVast) return { text, tone: 'dim', align: 'right' };
  return { text, tone: sign > 0 === (rising === 'good') ? 'good' : 'bad', align: 'right' };
};

const levels = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/** One character per value, scaled from zero to the largest; a gap (null) is a space. */
export const sparkline = (values: readonly (number | null)[]): Cell => {
  const top = Math.max(0, ...values.map((value) => value ?? 0));
  const text = values
    .map((value) => {
      if (value === null) return ' ';
      const level = top > 0 ? Math.round((Math.max(0, value) / top) * (levels.length - 1)) : 0;
      return levels[level] ?? ' ';
    })
    .join('');
  return { text, tone: 'accent' };
};

const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** A horizontal bar of `value` out of `max`, at most `width` characters, in steps of an eighth. */
export const bar = (value: number, max: number, width = 20): Cell => {
  const share = max > 0 ? Math.min(1, Math.max(0, value / max)) : 0;
  const steps = Math.round(share * width * 8);
  return { text: '█'.repeat(Math.floor(steps / 8)) + (eighths[steps % 8] ?? ''), tone: 'accent' };
};

/**
 * Text without characters that a terminal would interpret, because names come from tenants. Line feeds stay; a tab is a
 * blank.
 */
export const printable = (text: string): string =>
  withoutControls(text.replaceAll('\t', ' ').replaceAll('\r', ''));

/** A cell value as printable text on one line. */
export const toCell = (value: CellValue): Cell => {
  if (value === null || value === undefined || value === '') return missing;
  if (typeof value === 'number') return number(value);
  const cell = typeof value === 'string' ? { text: value } : value;
  return { ...cell, text: printable(cell.text).replace(/\s*\n\s*/g, ' ') };
};
