import { compactText, durationText, moneyText, percentText } from './figures.ts';

/** Units of measures. */
export type Unit = 'usd' | 'ms' | 'fraction' | 'calls' | 'tokens' | 'tokens_per_second';

/** A value with its unit: `$1.20`, `840 ms`, `3.2%`. */
export function unitText(value: number, unit: Unit): string {
  if (unit === 'usd') return moneyText(value);
  if (unit === 'fraction') return percentText(value);
  if (unit === 'ms') return durationText(value);
  if (unit === 'tokens_per_second') return `${compactText(value)} tokens/s`;
  return compactText(value);
}
