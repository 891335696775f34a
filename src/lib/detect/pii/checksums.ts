/** The digits of a text. */
export const digitsOf = (text: string): string => text.replace(/\D/g, '');

/** Whether the digits of a text end with the check digit of Luhn (ISO/IEC 7812-1). */
export function passesLuhn(text: string): boolean {
  let sum = 0;
  let isDoubled = false;
  for (let i = text.length - 1; i >= 0; i--) {
    const digit = text.charCodeAt(i) - ZERO;
    if (digit < 0 || digit > 9) continue;
    sum += isDoubled ? (digit > 4 ? digit * 2 - 9 : digit * 2) : digit;
    isDoubled = !isDoubled;
  }
  return sum % 10 === 0;
}

const ZERO = 48;

/** The remainder of a decimal number of any length. */
export function remainder(digits: string, divisor: number): number {
  let rest = 0;
  for (let i = 0; i < digits.length; i++) rest = (rest * 10 + digits.charCodeAt(i) - ZERO) % divisor;
  return rest;
}

/** The sum of digits with these weights. */
export function weighted(digits: string, weights: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < weights.length; i++) sum += (weights[i] ?? 0) * (digits.charCodeAt(i) - ZERO);
  return sum;
}

/** Whether the digits are all the same or count up, as in examples and placeholders. */
export const isTrivial = (digits: string): boolean =>
  isRepeated(digits) || '01234567890123456789'.includes(digits);

function isRepeated(digits: string): boolean {
  const first = digits.charCodeAt(0);
  for (let i = 1; i < digits.length; i++) if (digits.charCodeAt(i) !== first) return false;
  return digits !== '';
}
