import { DAY_MS, HOUR_MS } from '../../../lib/time.ts';

/** Lengths of silences, as people ask for them. */
export const SILENCE_PRESETS: readonly { readonly label: string; readonly until: (now: number) => number }[] =
  [
    { label: '1 hour', until: (now) => now + HOUR_MS },
    { label: '4 hours', until: (now) => now + 4 * HOUR_MS },
    { label: '1 day', until: (now) => now + DAY_MS },
    { label: 'Until Monday, 8:00', until: nextMondayAtEight },
    { label: '1 week', until: (now) => now + 7 * DAY_MS },
  ];

/** The next Monday at 8:00 of the clock on the wall. */
function nextMondayAtEight(now: number): number {
  const monday = new Date(now);
  monday.setHours(8, 0, 0, 0);
  monday.setDate(monday.getDate() + ((8 - monday.getDay()) % 7));
  if (monday.getTime() <= now) monday.setDate(monday.getDate() + 7);
  return monday.getTime();
}
