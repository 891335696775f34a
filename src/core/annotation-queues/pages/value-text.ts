/** The value of a score for people. */
export const valueText = (value: number | boolean | string): string =>
  typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value);
