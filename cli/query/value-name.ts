import type { CellValue } from '../format.ts';
import { tinted } from '../report/figures.ts';

/** What the API says instead of the values of a tag beyond those that it sums one by one. */
const OTHER_VALUES = '…';

/** Whether a value stands for further values of a tag. */
export const isOtherValues = (dimension: string, value: string | null): boolean =>
  value === OTHER_VALUES && dimension.startsWith('tag:');

/** A value of a dimension as a table shows it; null for calls without one. */
export const valueName = (dimension: string, value: string | null): CellValue =>
  isOtherValues(dimension, value) ? tinted('other values', 'dim') : value;
