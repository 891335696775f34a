import { decimalsOf, MOST_DECIMALS, scaled } from '../../../lib/billing/decimal.ts';
import type { StatementSettings } from '../contract.ts';

const NANO_DIGITS = 9;
/** 100 % with the decimals of a markup. */
const WHOLE = 100n * 10n ** BigInt(MOST_DECIMALS.percent);
const WHOLE_DIGITS = 2 + MOST_DECIMALS.percent;
/** Decimals of exact amounts: nano-dollars × rate × markup have no more. */
const EXACT_DIGITS = NANO_DIGITS + MOST_DECIMALS.rate + WHOLE_DIGITS;

/** Computes with a definition's rate, markup and currency. Exact amounts are whole numbers of 10^-25 of the currency. */
export type Money = {
  readonly decimals: number;
  /** A cost in nano-dollars, and the markup on it, in the currency. */
  cost(nano: number): bigint;
  markup(nano: number): bigint;
  /** An amount that a setting states. */
  stated(text: string): bigint;
  /** Smallest units of the currency, rounded half away from zero. */
  rounded(exact: bigint): bigint;
  exactOf(units: bigint): bigint;
  /**
   * Rounds amounts so that they add up to their rounded sum: each is rounded down, then the largest remainders get one
   * unit more.
   */
  split(exact: readonly bigint[]): { readonly parts: bigint[]; readonly total: bigint };
};

export function moneyOf({
  currency,
  rate,
  markupPercent,
}: Pick<StatementSettings, 'currency' | 'rate' | 'markupPercent'>): Money {
  const decimals = decimalsOf(currency);
  const unit = 10n ** BigInt(EXACT_DIGITS - decimals);
  const perDollar = scaled(rate, MOST_DECIMALS.rate);
  const markup = BigInt(Math.round(markupPercent * 10 ** MOST_DECIMALS.percent));
  const rounded = (exact: bigint): bigint =>
    exact < 0n ? -((-2n * exact + unit) / (2n * unit)) : (2n * exact + unit) / (2n * unit);
  return {
    decimals,
    cost: (nano) => BigInt(nano) * perDollar * WHOLE,
    markup: (nano) => BigInt(nano) * perDollar * markup,
    stated: (text) => scaled(text, MOST_DECIMALS.amount) * 10n ** BigInt(EXACT_DIGITS - MOST_DECIMALS.amount),
    rounded,
    exactOf: (units) => units * unit,
    split(exact) {
      const total = rounded(exact.reduce((sum, one) => sum + one, 0n));
      const parts = exact.map((one) => (one - modulo(one, unit)) / unit);
      const rests = exact.map((one, place) => ({ rest: modulo(one, unit), place }));
      rests.sort((a, b) => (a.rest === b.rest ? a.place - b.place : a.rest < b.rest ? 1 : -1));
      const missing = Number(total - parts.reduce((sum, one) => sum + one, 0n));
      for (const { place } of rests.slice(0, missing)) parts[place] = (parts[place] ?? 0n) + 1n;
      return { parts, total };
    },
  };
}

/** The rest of a division that rounds down. */
const modulo = (value: bigint, by: bigint): bigint => ((value % by) + by) % by;
