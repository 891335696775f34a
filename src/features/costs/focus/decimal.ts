/** Decimals are whole numbers of 10^-18. */
const SCALE = 18;
const ONE = 10n ** BigInt(SCALE);
/** 10^-18 in a nano-dollar. */
export const PER_NANO = 10n ** 9n;

/** A fraction as a decimal, rounded half away from zero. `of` is positive. */
export function toDecimal(numerator: bigint, of: bigint): bigint {
  if (numerator < 0n) return -toDecimal(-numerator, of);
  return (2n * numerator * ONE + of) / (2n * of);
}

/** Its digits, without zeros at the end: `-0.0000001`. */
export function decimalText(value: bigint): string {
  const size = value < 0n ? -value : value;
  const fraction = String(size % ONE)
    .padStart(SCALE, '0')
    .replace(/0+$/, '');
  return `${value < 0n ? '-' : ''}${size / ONE}${fraction === '' ? '' : `.${fraction}`}`;
}
