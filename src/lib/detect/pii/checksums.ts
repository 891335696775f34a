/** The digits of a text. */
export const digitsOf = (text: string): string => text.replace(/\D/g, '');

/** Whether digits end with the check digit of Luhn (ISO/IEC 7812-1). */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]);
    const doubled = i % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** The remainder of a decimal number of any length. */
export function remainder(digits: string, divisor: number): number {
  let rest = 0;
  for (const digit of digits) rest = (rest * 10 + Number(digit)) % divisor;
  return rest;
}

/** The sum of digits with these weights. */
export const weighted = (digits: string, weights: readonly number[]): number =>
  weights.reduce((sum, weight, i) => sum + weight * Number(digits[i]), 0);

/** Whether the digits are all the same or count up, as in examples and placeholders. */
export const isTrivial = (digits: string): boolean =>
  /^(\d)\1*$/.test(digits) || '01234567890123456789'.includes(digits);
