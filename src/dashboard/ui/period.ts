import { timeText, UTC } from './format.ts';

/** From which day to which a price holds, such as `from 1 Jan 2026 until 1 Mar 2026`; '' where it always does. */
export const validityText = (from: string | null, until: string | null): string =>
  [
    from === null ? '' : `from ${timeText.date(from, UTC)}`,
    until === null ? '' : `until ${timeText.date(until, UTC)}`,
  ]
    .filter((part) => part !== '')
    .join(' ');

/** The hours of a price, as the API gives them (`16:30/00:30`), in words. */
export const hoursText = (daily: string): string => `${daily.replace('/', ' to ')} UTC`;
