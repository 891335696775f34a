import type { MetricsReply } from '../../src/core/events/query/contract.ts';
import { markOf, unpricedText } from '../../src/lib/billing/cost-mark.ts';
import { durationText, percentText } from '../../src/lib/figures.ts';
import { type Cell, type CellValue, markedCost, money, number } from '../format.ts';
import type { Output } from '../output.ts';
import { tinted } from '../report/figures.ts';

/**
 * A value in its unit; null is a dash.
 * @param unpriced calls beside the value that no cost includes
 */
export function figureCell(
  { name, unit }: MetricsReply['measures'][number],
  value: number | null,
  unpriced?: number | null,
): CellValue {
  if (unit === 'usd') return markedCost(money(value), markOf(name, value, unpriced));
  if (value === null) return null;
  const right = (text: string): Cell => ({ text, align: 'right' });
  if (unit === 'fraction') return right(percentText(value));
  if (unit === 'ms') return right(durationText(value));
  return number(value);
}

/** Says how many calls the costs above leave out. */
export function printUnpriced(
  output: Output,
  { unpriced, calls }: { readonly unpriced?: number | undefined; readonly calls?: number | undefined },
): void {
  if (!unpriced) return;
  output.line(tinted(`! ${unpricedText({ unpriced, calls: calls ?? unpriced })}: not in any cost`, 'warn'));
}
