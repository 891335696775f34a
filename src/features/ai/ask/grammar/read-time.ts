import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../lib/time.ts';
import { instantOf, startOfDay, startOfMonthIn, wallClock } from '../../../../lib/time-zone.ts';
import type { When } from '../question.ts';
import type { Rest } from './rest.ts';
import { NUMBER_PATTERN, numberOf } from './words.ts';

type Clock = { readonly now: number; readonly zone: string };
/** Days of a wall clock: the first instant, and the first after them. */
type Days = { readonly from: number; readonly to: number };

const MONTHS = list(
  'jan(?:uary)? feb(?:ruary)? mar(?:ch)? apr(?:il)? may june? july? aug(?:ust)? sept?(?:ember)? oct(?:ober)? nov(?:ember)? dec(?:ember)?',
);
const WEEKDAYS = list('sunday monday tuesday wednesday thursday friday saturday');
const MONTH = `(${MONTHS.join('|')})`;
const DAY = '(\\d{1,2})(?:st|nd|rd|th)?';
const YEAR = '(?:,? (20\\d\\d))?';

function list(text: string): string[] {
  return text.split(' ');
}

/** Patterns of days, each with what it means. The last of a month, a weekday or a date is meant. */
const DAYS: readonly (readonly [RegExp, (groups: readonly string[], clock: Clock) => Days | null])[] = [
  [/^the day before yesterday\b|^day before yesterday\b/, (_, clock) => day(clock, -2)],
  [/^yesterday\b/, (_, clock) => day(clock, -1)],
  [/^today\b/, (_, clock) => day(clock, 0)],
  [/^(20\d\d)-(\d\d)-(\d\d)\b/, ([y, m, d], clock) => date(clock, Number(y), Number(m) - 1, Number(d))],
  [new RegExp(`^${DAY}(?: of)? ${MONTH}${YEAR}\\b`), ([d, m, y], clock) => lastDate(clock, m, d, y)],
  [new RegExp(`^${MONTH} (?:the )?${DAY}(?!\\d)${YEAR}\\b`), ([m, d, y], clock) => lastDate(clock, m, d, y)],
  [new RegExp(`^(?:last )?(${WEEKDAYS.join('|')})\\b`), ([name], clock) => lastWeekday(clock, name)],
  [new RegExp(`^(?:last |this )?${MONTH}(?: (20\\d\\d))?\\b`), ([m, y], clock) => lastMonth(clock, m, y)],
  [/^q([1-4])(?: (20\d\d))?\b/, ([q, y], clock) => quarter(clock, Number(q) - 1, y)],
  [/^(?:the )?last week\b/, (_, clock) => week(clock, -1)],
  [/^this week\b/, (_, clock) => week(clock, 0)],
  [/^(?:the )?last month\b/, (_, clock) => months(clock, -1, 1)],
  [/^this month\b/, (_, clock) => months(clock, 0, 1)],
  [/^(?:the )?(?:last|previous) quarter\b/, (_, clock) => months(clock, -3 - (monthOf(clock) % 3), 3)],
  [/^this quarter\b/, (_, clock) => months(clock, -(monthOf(clock) % 3), 3)],
  [/^(?:the )?(?:last|previous) year\b/, (_, clock) => months(clock, -12 - monthOf(clock), 12)],
  [
    /^since (?:the )?(?:beginning|start) of (?:the|this) year\b|^year to date\b|^ytd\b/,
    (_, clock) => months(clock, -monthOf(clock), 12),
  ],
  [
    /^since (?:the )?(?:beginning|start) of (?:the|this) quarter\b|^quarter to date\b|^qtd\b/,
    (_, clock) => months(clock, -(monthOf(clock) % 3), 3),
  ],
  [/^this year\b/, (_, clock) => months(clock, -monthOf(clock), 12)],
  [
    new RegExp(`^${NUMBER_PATTERN} (days?|weeks?) ago\\b`),
    ([n = '', unit = ''], clock) => day(clock, -numberOf(n) * (unit.startsWith('w') ? 7 : 1)),
  ],
];

const wall = ({ now, zone }: Clock): Date => new Date(wallClock(now, zone));
const monthOf = (clock: Clock): number => wall(clock).getUTCMonth();

const day = ({ now, zone }: Clock, days: number): Days => ({
  from: startOfDay(now, zone, days),
  to: startOfDay(now, zone, days + 1),
});
const week = ({ now, zone }: Clock, weeks: number): Days => {
  const monday = -((wall({ now, zone }).getUTCDay() + 6) % 7) + weeks * 7;
  return { from: startOfDay(now, zone, monday), to: startOfDay(now, zone, monday + 7) };
};
const months = ({ now, zone }: Clock, from: number, count: number): Days => ({
  from: startOfMonthIn(now, zone, from),
  to: startOfMonthIn(now, zone, from + count),
});

function date({ zone }: Clock, year: number, month: number, dayOfMonth: number): Days | null {
  const start = Date.UTC(year, month, dayOfMonth);
  const at = new Date(start);
  if (at.getUTCMonth() !== month || at.getUTCDate() !== dayOfMonth) return null;
  return { from: instantOf(start, zone), to: instantOf(start + DAY_MS, zone) };
}

const placeOf = (patterns: readonly string[], text = ''): number =>
  patterns.findIndex((pattern) => new RegExp(`^${pattern}$`).test(text));

function lastDate(clock: Clock, month = '', dayOfMonth = '', year = ''): Days | null {
  const place = placeOf(MONTHS, month);
  if (year !== '') return date(clock, Number(year), place, Number(dayOfMonth));
  const own = date(clock, wall(clock).getUTCFullYear(), place, Number(dayOfMonth));
  if (own !== null && own.from <= clock.now) return own;
  return date(clock, wall(clock).getUTCFullYear() - 1, place, Number(dayOfMonth));
}

function lastWeekday(clock: Clock, name = ''): Days {
  const back = (wall(clock).getUTCDay() - WEEKDAYS.indexOf(name) + 7) % 7;
  return day(clock, -back);
}

function lastMonth(clock: Clock, name = '', year = ''): Days {
  const place = placeOf(MONTHS, name);
  const own =
    year === ''
      ? -((monthOf(clock) - place + 12) % 12)
      : (Number(year) - wall(clock).getUTCFullYear()) * 12 + place - monthOf(clock);
  return months(clock, own, 1);
}

function quarter(clock: Clock, place: number, year = ''): Days {
  const years = year === '' ? 0 : Number(year) - wall(clock).getUTCFullYear();
  const from = years * 12 + place * 3 - monthOf(clock);
  return months(clock, from > 0 && year === '' ? from - 12 : from, 3);
}

/** A time at the start of a text: how many characters it has, and what it means. */
type Found = { readonly length: number; readonly when: When };

/** Days at the start of a text. */
function daysAt(text: string, clock: Clock): (Days & { readonly length: number }) | null {
  for (const [pattern, mean] of DAYS) {
    const match = pattern.exec(text);
    const found =
      match &&
      mean(
        match.slice(1).map((group) => group ?? ''),
        clock,
      );
    if (match !== null && found != null) return { ...found, length: match[0].length };
  }
  return null;
}

/** Windows that have a name. */
const NAMED: readonly (readonly [RegExp, NonNullable<Extract<When, { range: unknown }>['range']>])[] = [
  [/^yesterday\b/, 'yesterday'],
  [/^(?:so far )?today\b(?: so far)?/, 'today'],
  [/^(?:so far )?(?:this|the current|current) week\b(?: so far)?|^week to date\b/, 'wtd'],
  [/^(?:the )?(?:last|previous) (?:week|wk)\b|^the week before\b/, 'lastWeek'],
  [/^(?:so far )?(?:this|the current|current) month\b(?: so far)?|^month to date\b|^mtd\b/, 'mtd'],
  [/^(?:the )?(?:last|previous) month\b/, 'lastMonth'],
  [/^since (?:the )?(?:beginning|start) of (?:the|this) week\b/, 'wtd'],
  [/^since (?:the )?(?:beginning|start) of (?:the|this) month\b/, 'mtd'],
  [/^(?:right )?now\b|^currently\b|^current\b|^at the moment\b/, '1h'],
];

const UNITS: readonly (readonly [RegExp, 'minute' | 'hour' | 'day' | 'month' | 'year', number])[] = [
  [/^(?:minutes?|mins?|m)$/, 'minute', 1],
  [/^(?:hours?|hrs?|h)$/, 'hour', 1],
  [/^(?:days?|d)$/, 'day', 1],
  [/^(?:weeks?|wks?|w)$/, 'day', 7],
  [/^(?:months?|mo)$/, 'month', 1],
  [/^(?:years?|y)$/, 'year', 1],
];
const ROLLING = new RegExp(
  `^(?:the )?(?:last|past|previous|trailing|latest) (?:${NUMBER_PATTERN} ?)?(minutes?|mins?|m|hours?|hrs?|h|days?|d|weeks?|wks?|w|months?|mo|years?|y)\\b`,
);

/** Lengths that have a preset. */
const PRESET_LENGTHS = {
  '15 minute': '15m',
  '1 hour': '1h',
  '60 minute': '1h',
  '6 hour': '6h',
  '24 hour': '24h',
  '1 day': '24h',
  '7 day': '7d',
  '30 day': '30d',
  '90 day': '90d',
  '365 day': '12mo',
  '12 month': '12mo',
  '1 month': '30d',
  '3 month': '90d',
  '1 year': '12mo',
} as const;

function rollingAt(text: string, { now, zone }: Clock): Found | null {
  const match = ROLLING.exec(text);
  if (match === null || /^(?:the )?(?:last|previous) year$/.test(match[0])) return null;
  const count = match[1] === undefined ? 1 : numberOf(match[1]);
  const [, unit = 'day', times = 1] = UNITS.find(([pattern]) => pattern.test(match[2] ?? '')) ?? [];
  const amount = count * times;
  const length = match[0].length;
  const preset = PRESET_LENGTHS[`${amount} ${unit}` as keyof typeof PRESET_LENGTHS];
  if (preset !== undefined) return { length, when: { range: preset } };
  const minute = Math.floor(now / MINUTE_MS) * MINUTE_MS;
  const from =
    unit === 'minute'
      ? minute - amount * MINUTE_MS
      : unit === 'hour'
        ? minute - amount * HOUR_MS
        : unit === 'day'
          ? startOfDay(now, zone, -amount)
          : monthsBefore({ now, zone }, amount * (unit === 'year' ? 12 : 1));
  return { length, when: { start: from, end: null } };
}

function monthsBefore({ now, zone }: Clock, count: number): number {
  const at = new Date(wallClock(now, zone));
  const last = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - count + 1, 0)).getUTCDate();
  return instantOf(
    Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - count, Math.min(at.getUTCDate(), last)),
    zone,
  );
}

/** Until now, unless the days have ended. */
const untilNow = ({ from, to }: Days, now: number): When => ({ start: from, end: to > now ? null : to - 1 });

/** The time that a text begins with; null if it begins with none. */
export function timeAt(text: string, clock: Clock): Found | null {
  for (const [pattern, range] of NAMED) {
    const match = pattern.exec(text);
    if (match !== null) return { length: match[0].length, when: { range } };
  }
  const span = spanAt(text, clock) ?? sinceAt(text, clock) ?? rollingAt(text, clock);
  if (span !== null) return span;
  const days = daysAt(text, clock);
  // A bare "may" is a verb.
  if (days === null || days.from > clock.now || /^may\b(?! \d)/.test(text)) return null;
  return { length: days.length, when: untilNow(days, clock.now) };
}

/** `between DAY and DAY`, `from DAY to DAY`, `DAY to DAY`. */
function spanAt(text: string, clock: Clock): Found | null {
  const start = /^(?:between |from |)/.exec(text)?.[0] ?? '';
  const first = daysAt(text.slice(start.length), clock);
  if (first === null) return null;
  const at = start.length + first.length;
  const joined = start === '' ? /^ (?:to|until|till|through|-|–) / : /^ (?:and|to|until|till|through|-|–) /;
  const middle = joined.exec(text.slice(at));
  const last = middle && daysAt(text.slice(at + middle[0].length), clock);
  if (middle === null || last === null || last.to <= first.from) return null;
  return {
    length: at + middle[0].length + last.length,
    when: untilNow({ from: first.from, to: last.to }, clock.now),
  };
}

/** Days that a window without a start has. */
const DEFAULT_DAYS = 30;

/** `since DAY`, `until DAY`, and a month after a preposition, which `may` needs. */
function sinceAt(text: string, clock: Clock): Found | null {
  const word = /^(since|until|till|up to|through|in|during|for|of) (?:the )?/.exec(text);
  const found = word && daysAt(text.slice(word[0].length), clock);
  if (word === null || found === null || found.from > clock.now) return null;
  const length = word[0].length + found.length;
  if (word[1] === 'since') return { length, when: { start: found.from, end: null } };
  if (/^(?:in|during|for|of)$/.test(word[1] ?? '')) {
    const inner = timeAt(text.slice(word[0].length), clock);
    if (inner !== null) return { ...inner, length: word[0].length + inner.length };
    return { length, when: untilNow(found, clock.now) };
  }
  const start = Math.min(
    startOfDay(clock.now, clock.zone, -DEFAULT_DAYS),
    startOfDay(found.from, clock.zone, -DEFAULT_DAYS + 1),
  );
  const usual = startOfDay(clock.now, clock.zone, -DEFAULT_DAYS);
  return { length, when: { start: usual < found.to ? usual : start, end: found.to - 1 } };
}

/** Takes the first time of a question from a place on. */
export function takeTime(rest: Rest, clock: Clock, from = 0): (Found & { readonly at: number }) | null {
  const starts = /(?<![\p{L}\p{N}_§.-])[\p{L}\p{N}]/gu;
  starts.lastIndex = from;
  for (let match = starts.exec(rest.text); match !== null; match = starts.exec(rest.text)) {
    const found = timeAt(rest.text.slice(match.index), clock);
    if (found === null) continue;
    rest.remove(match.index, found.length);
    return { ...found, at: match.index };
  }
  return null;
}
