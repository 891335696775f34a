import { z } from 'zod';

/** A line of text, such as a name: up to `max` characters, blanks at its ends removed, no line breaks or other controls. */
export const lineOfText = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .refine((text) => !/\p{Cc}/u.test(text), 'must not contain control characters');
