import type { Unit } from '../../src/core/events/query/contract.ts';
import { durationText, percentText } from '../../src/lib/figures.ts';
import { type Cell, type CellValue, money, number } from '../format.ts';

/** A value in its unit; null is a dash. */
export function figureCell(unit: Unit, value: number | null): CellValue {
  if (value === null) return null;
  const right = (text: string): Cell => ({ text, align: 'right' });
  if (unit === 'usd') return money(value);
  if (unit === 'fraction') return right(percentText(value));
  if (unit === 'ms') return right(durationText(value));
  return number(value);
}
