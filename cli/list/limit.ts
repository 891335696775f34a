import { z } from 'zod';

/** A whole number from `min` to `max`, as an option is written. */
export const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `expected a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((count) => count >= min && count <= max, `expected a whole number from ${min} to ${max}`);
