/** A decimal number that is not negative. */
export const DECIMAL = /^\d{1,12}(?:\.\d{1,10})?$/;
/** Decimals that settings may have. */
export const MOST_DECIMALS = { amount: 4, rate: 10, percent: 4 } as const;

/** The number without its point, for so many decimals: `('1.5', 3)` is 1500n. */
export function scaled(text: string, decimals: number): bigint {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'));
}

/** A whole number of the smallest units as text: `(-1500n, 2)` is `-15.00`. */
export function toDecimal(value: bigint, decimals: number): string {
  const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, '0');
  const sign = value < 0n ? '-' : '';
  if (decimals === 0) return sign + digits;
  return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** Decimals of a currency's amounts: 2 for EUR, 0 for JPY. */
export const decimalsOf = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
