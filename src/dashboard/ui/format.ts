import {
  bytesText,
  compactText,
  durationText,
  moneyText,
  numberText,
  percentText,
} from '../../lib/figures.ts';

export type Zone = 'utc' | 'local';

const zoneOf = (zone: Zone): string | undefined => (zone === 'utc' ? 'UTC' : undefined);
// Creating a format takes longer than using it; there are about twenty.
const formats = new Map<string, Intl.DateTimeFormat>();

const formatBy = (zone: Zone, name: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat => {
  const key = `${zone} ${name}`;
  const found =
    formats.get(key) ??
    new Intl.DateTimeFormat('en-GB', { ...options, timeZone: zoneOf(zone), hourCycle: 'h23' });
  formats.set(key, found);
  return found;
};

const day = { day: 'numeric', month: 'short' } as const;
const clock = { hour: '2-digit', minute: '2-digit' } as const;
const second = { second: '2-digit' } as const;

/** Instants as people read them; `at` is ISO 8601 or epoch milliseconds. */
export const timeText = {
  /** `21 Nov` */
  day: (at: string | number, zone: Zone): string => formatBy(zone, 'day', day).format(new Date(at)),
  /** `21 Nov 2026` */
  date: (at: string | number, zone: Zone): string =>
    formatBy(zone, 'date', { ...day, year: 'numeric' }).format(new Date(at)),
  /** `14:05` */
  clock: (at: string | number, zone: Zone): string => formatBy(zone, 'clock', clock).format(new Date(at)),
  /** `21 Nov, 14:05` */
  minute: (at: string | number, zone: Zone): string =>
    formatBy(zone, 'minute', { ...day, ...clock }).format(new Date(at)),
  /** `21 Nov, 14:05:09` */
  second: (at: string | number, zone: Zone): string =>
    formatBy(zone, 'second', { ...day, ...clock, ...second }).format(new Date(at)),
  /** `21 Nov 2026, 14:05:09.123` */
  full: (at: string | number, zone: Zone): string =>
    formatBy(zone, 'full', {
      ...day,
      year: 'numeric',
      ...clock,
      ...second,
      fractionalSecondDigits: 3,
    }).format(new Date(at)),
};

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
