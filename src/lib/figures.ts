/** Formats figures. The dashboard and the terminal share these rounding rules. */

const grouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });
const cents = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const smallMoney = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 3 });
const short = new Intl.NumberFormat('en-US', {
  notation: 'compact',
  minimumSignificantDigits: 3,
  maximumSignificantDigits: 3,
});

/** A count or measure with thousands separators and at most two decimals: `1,234.5`. */
export const numberText = (value: number): string => grouped.format(value);

/** A count with its noun, which takes an s unless there is one: `1 event`, `1,234 events`. */
export const countText = (count: number, noun: string): string =>
  `${numberText(count)} ${noun}${count === 1 ? '' : 's'}`;

/** A large count in three digits: `2.13M`; below a thousand as it is. */
export const compactText = (value: number): string =>
  value < 1000 ? grouped.format(value) : short.format(value);

/** US dollars: cents from one dollar up, three significant digits below, so that no small amount looks free. */
export const moneyText = (usd: number): string => {
  const size = Math.abs(usd);
  const digits =
    size === 0 || size >= 1 ? cents.format(size) : smallMoney.format(size).replace(/\.\d$/, '$&0');
  return `${usd < 0 ? '-' : ''}$${digits}`;
};

/** A fraction 0 to 1 as a percentage with one decimal; smaller values are `<0.1%`. */
export const percentText = (fraction: number): string => {
  const shown = (fraction * 100).toFixed(1);
  return fraction > 0 && shown === '0.0' ? '<0.1%' : `${shown}%`;
};

/** Milliseconds in a readable unit with three digits: `840 ms`, `1.25 s`, `2.1 min`, `4 h 5 min`, `2 d 19 h`. */
export const durationText = (ms: number): string => {
  if (ms > 0 && ms < 0.05) return '<0.1 ms';
  if (ms > 0 && ms < 0.95) return `${ms.toFixed(1)} ms`;
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  if (ms < 9_995) return `${(ms / 1000).toFixed(2)} s`;
  if (ms < 119_950) return `${(ms / 1000).toFixed(1)} s`;
  const minutes = Math.round(ms / 60_000);
  if (minutes < 120) return `${(ms / 60_000).toFixed(1)} min`;
  const hours = Math.round(minutes / 60);
  if (hours < 48) return inTwo(minutes, 60, ['h', 'min']);
  return inTwo(hours, 24, ['d', 'h']);
};

const inTwo = (amount: number, size: number, [large, small]: readonly [string, string]): string => {
  const rest = amount % size;
  return `${Math.floor(amount / size)} ${large}${rest === 0 ? '' : ` ${rest} ${small}`}`;
};

/**
 * Change from `previous` to `current` in percent, with one decimal below ten.
 * @returns null if there is nothing to compare with
 */
export const changeOf = (
  current: number,
  previous: number | null | undefined,
): { text: string; sign: -1 | 0 | 1 } | null => {
  if (!previous) return null;
  const percent = ((current - previous) / Math.abs(previous)) * 100;
  // The previous value was almost zero, so the exact percentage means nothing.
  if (percent > 999) return { text: '>+999%', sign: 1 };
  const rounded = Number(percent.toFixed(Math.abs(percent) < 10 ? 1 : 0));
  return {
    text: `${rounded > 0 ? '+' : ''}${grouped.format(rounded)}%`,
    sign: rounded > 0 ? 1 : rounded < 0 ? -1 : 0,
  };
};

/** Difference of two fractions in percentage points: `+1.2 pt`. */
export const pointsOf = (current: number, previous: number): { text: string; sign: -1 | 0 | 1 } => {
  const points = Number(((current - previous) * 100).toFixed(1));
  if (points === 0) return { text: '±0 pt', sign: 0 };
  return { text: `${points > 0 ? '+' : ''}${points.toFixed(1)} pt`, sign: points > 0 ? 1 : -1 };
};

const BYTE_UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'] as const;

/** Bytes in decimal units: `1.5 GB`. */
export const bytesText = (bytes: number): string => {
  const unit = Math.min(BYTE_UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  return `${numberText(Number((bytes / 1000 ** unit).toPrecision(3)))} ${BYTE_UNITS[unit]}`;
};

/** Units of measures. */
type Unit = 'usd' | 'ms' | 'fraction' | 'calls' | 'tokens' | 'tokens_per_second' | 'score' | 'scores';

/** A value with its unit: `$1.20`, `840 ms`, `3.2%`. */
export function unitText(value: number, unit: Unit): string {
  if (unit === 'usd') return moneyText(value);
  if (unit === 'fraction') return percentText(value);
  if (unit === 'ms') return durationText(value);
  if (unit === 'tokens_per_second') return `${compactText(value)} tokens/s`;
  if (unit === 'score') return String(Number(value.toPrecision(3)));
  return compactText(value);
}

/** A difference of two values with its sign: `+$1.20`, `−840 ms`; that of fractions in points: `+13.5 pt`. */
export const differenceText = (value: number, unit: Unit): string =>
  unit === 'fraction'
    ? pointsOf(value, 0).text
    : `${value > 0 ? '+' : value < 0 ? '−' : ''}${unitText(Math.abs(value), unit)}`;
