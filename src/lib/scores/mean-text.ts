import { numberText, percentText } from '../figures.ts';

/** The mean of a score for reading: of booleans the share of true, `82.0%`; of numbers as it is. */
export const meanText = (type: 'numeric' | 'boolean', mean: number): string =>
  type === 'boolean' ? percentText(mean) : numberText(mean);
