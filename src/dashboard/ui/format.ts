import {
  bytesText,
  compactText,
  durationText,
  moneyText,
  numberText,
  percentText,
} from '../../lib/figures.ts';

/** The IANA name of a time zone, such as `UTC` or `Europe/Berlin`. */
export type Zone = string;

/** Days and months that the server sums up or bills by are those of UTC, whatever zone a person chose. */
export const UTC: Zone = 'UTC';

// Creating a format takes longer than using it; there are about twenty for each zone that is used.
const formats = new Map<string, Intl.DateTimeFormat>();

const formatBy = (zone: Zone, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat => {
  const key = `${zone} ${Object.entries(options).join(' ')}`;
  const found =
    formats.get(key) ?? new Intl.DateTimeFormat('en-GB', { ...options, timeZone: zone, hourCycle: 'h23' });
  formats.set(key, found);
  return found;
};

const day = { day: 'numeric', month: 'short' } as const;
const clock = { hour: '2-digit', minute: '2-digit' } as const;
const second = { second: '2-digit' } as const;
const year = { year: 'numeric' } as const;

/** Writes an instant, with the year if it is not the current one. */
const dated =
  (options: Intl.DateTimeFormatOptions) =>
  (at: string | number, zone: Zone): string => {
    const date = new Date(at);
    const isThisYear = date.getUTCFullYear() === new Date().getUTCFullYear();
    return formatBy(zone, isThisYear ? options : { ...options, ...year }).format(date);
  };
const plain =
  (options: Intl.DateTimeFormatOptions) =>
  (at: string | number, zone: Zone): string =>
    formatBy(zone, options).format(new Date(at));

/**
 * Instants as people read them; `at` is ISO 8601 or epoch milliseconds. All texts of the dashboard are made here.
 */
export const timeText = {
  /** `21 Nov`, of another year `21 Nov 2025` */
  day: dated(day),
  /** `21 Nov 2026` */
  date: plain({ ...day, ...year }),
  /** `14:05` */
  clock: plain(clock),
  /** `21 Nov, 14:05` */
  minute: dated({ ...day, ...clock }),
  /** `21 Nov, 14:05:09` */
  second: dated({ ...day, ...clock, ...second }),
  /** `21 Nov, 14:05:09 UTC` */
  zoned: dated({ ...day, ...clock, ...second, timeZoneName: 'short' }),
  /** `21 Nov 2026, 14:05:09.123 UTC` */
  full: plain({
    ...day,
    ...year,
    ...clock,
    ...second,
    fractionalSecondDigits: 3,
    timeZoneName: 'short',
  }),
};

/** What a zone is called beside times: `UTC`, `Berlin`, `New York`. */
export const zoneText = (zone: Zone): string => zone.slice(zone.lastIndexOf('/') + 1).replaceAll('_', ' ');

/** How far a zone is from UTC at an instant: `GMT+1`, `GMT+5:30`, `GMT` for UTC itself. */
export const offsetText = (at: number, zone: Zone): string =>
  formatBy(zone, { timeZoneName: 'shortOffset' })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')?.value ?? '';

/** `3 min ago`. */
export const agoText = (at: string | number, now: number): string => {
  const seconds = Math.max(0, Math.round((now - new Date(at).getTime()) / 1000));
  if (seconds < 60) return 'just now';
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3_600)} h ago`;
  return `${Math.floor(seconds / 86_400)} days ago`;
};

/** How a figure of a kind is written out, in short for an axis or a tile and in full for a tooltip. */
export const FIGURES = {
  count: { short: compactText, full: numberText },
  money: { short: moneyText, full: moneyText },
  duration: { short: durationText, full: durationText },
  bytes: { short: bytesText, full: (value: number) => `${numberText(value)} bytes` },
  fraction: { short: percentText, full: percentText },
  rate: { short: (value: number) => compactText(value), full: (value: number) => `${numberText(value)} /s` },
} as const;
export type FigureKind = keyof typeof FIGURES;
