import { z } from 'zod';
import { DAY_MS, formatInstant, HOUR_MS, parseInstant } from '../src/lib/time.ts';

const units: Readonly<Record<string, number>> = { h: HOUR_MS, d: DAY_MS, w: 7 * DAY_MS };
/** `90d` from now, or a time; as ISO 8601. */
export const end = z.string().transform((text, check) => {
  const [, count, unit = ''] = /^(\d{1,5})([hdw])$/.exec(text) ?? [];
  const at = count === undefined ? parseInstant(text) : Date.now() + Number(count) * (units[unit] ?? 0);
  if (at !== null) return formatInstant(at);
  check.addIssue('expected a duration such as 90d, a date such as 2027-01-31 or an ISO 8601 time');
  return z.NEVER;
});
