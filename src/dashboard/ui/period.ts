/** From which day to which a price holds, such as `from 2026-01-01 until 2026-03-01`; '' where it always does. */
export const validityText = (from: string | null, until: string | null): string =>
  [from === null ? '' : `from ${from.slice(0, 10)}`, until === null ? '' : `until ${until.slice(0, 10)}`]
    .filter((part) => part !== '')
    .join(' ');

/** The hours of a price, as the API gives them (`16:30/00:30`), in words. */
export const hoursText = (daily: string): string => `${daily.replace('/', ' to ')} UTC`;
