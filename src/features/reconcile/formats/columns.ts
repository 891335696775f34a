import { DAY_MS, parseInstant } from '../../../lib/time.ts';

/** Access to the columns of a file by their names. */
export type Columns = {
  /** The first column of these that is not empty; empty if there is none. */
  text(...names: readonly string[]): (row: readonly string[]) => string;
  /** The number in the first of these columns that exists: an empty field is 0, NaN is no number; null: no such column. */
  number(...names: readonly string[]): (row: readonly string[]) => number | null;
  /** The day in the first of these columns that is not empty, in days since the epoch; NaN for no time. */
  day(...names: readonly string[]): (row: readonly string[]) => number;
  has(...names: readonly string[]): boolean;
  /** The lines above the headings, such as `Currency,EUR`: value by lower-case name. */
  readonly preamble: ReadonlyMap<string, string>;
  readonly headings: readonly string[];
};

/** `lineItem/UsageType` is `lineitem_usagetype`, `Usage start date` is `usage_start_date`. */
export const toHeading = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s./]+/g, '_');

/** @param headings as `toHeading` writes them */
export function columnsOf(headings: readonly string[], preamble: ReadonlyMap<string, string>): Columns {
  const places = (names: readonly string[]): number[] =>
    names.map((name) => headings.indexOf(name)).filter((place) => place >= 0);
  const text: Columns['text'] = (...names) => {
    const at = places(names);
    return (row) => {
      for (const place of at) {
        const value = row[place]?.trim() ?? '';
        if (value !== '') return value;
      }
      return '';
    };
  };
  return {
    text,
    number(...names) {
      const [place] = places(names);
      return place === undefined ? () => null : (row) => toNumber(row[place]?.trim() ?? '');
    },
    day(...names) {
      const read = text(...names);
      const last = { text: '', day: Number.NaN };
      return (row) => {
        const value = read(row);
        // Rows of a day are beside each other in most exports.
        if (value !== last.text) Object.assign(last, { text: value, day: toDay(value) });
        return last.day;
      };
    },
    has: (...names) => places(names).length > 0,
    preamble,
    headings,
  };
}

const GROUPED = /^-?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;

function toNumber(text: string): number {
  const number = Number(text);
  if (!Number.isNaN(number)) return number;
  const plain = text.replace(/^(-?)\$/, '$1');
  return Number(GROUPED.test(plain) ? plain.replaceAll(',', '') : plain);
}

const US_DATE = /^(\d{1,2})\/(\d{1,2})\/(\d{4})/;
const MONTH = /^(\d{4})-?(\d{2})$/;
const COMPACT = /^(\d{4})(\d{2})(\d{2})$/;

/** ISO 8601, `MM/DD/YYYY`, `YYYYMMDD`, a month (its first day), or seconds since the epoch. */
function toDay(text: string): number {
  if (/^\d{9,10}(?:\.0+)?$/.test(text)) return Math.floor((Number(text) * 1000) / DAY_MS);
  const [iso] = [
    [US_DATE, '$3-$1-$2'] as const,
    [COMPACT, '$1-$2-$3'] as const,
    [MONTH, '$1-$2-01'] as const,
  ].flatMap(([form, order]) => (form.test(text) ? [text.replace(form, order)] : []));
  const padded = iso?.replaceAll(/-(\d)(?!\d)/g, '-0$1') ?? text.replace(/ UTC$/, 'Z');
  const ms = parseInstant(padded);
  return ms === null ? Number.NaN : Math.floor(ms / DAY_MS);
}
