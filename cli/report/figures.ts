import type { Cell } from '../format.ts';

const dash: Cell = { text: '–', tone: 'dim', align: 'right' };
const right = (text: string): Cell => ({ text, align: 'right' });
const short = new Intl.NumberFormat('en-US', { notation: 'compact', maximumSignificantDigits: 3 });

/** A large count in three digits: 2.13M. */
export const compact = (value: number | null | undefined): Cell =>
  value === null || value === undefined ? dash : right(short.format(value));

/** A fraction 0 to 1 as a percentage with one decimal; what is too small to show is `<0.1%`. */
export const percent = (fraction: number | null | undefined): Cell => {
  if (fraction === null || fraction === undefined) return dash;
  const shown = (fraction * 100).toFixed(1);
  if (fraction > 0 && shown === '0.0') return right('<0.1%');
  return right(`${shown}%`);
};

/** Milliseconds in the unit that a person would use, in three digits. */
export const duration = (ms: number | null | undefined): Cell => {
  if (ms === null || ms === undefined) return dash;
  if (ms < 999.5) return right(`${Math.round(ms)} ms`);
  if (ms < 9_995) return right(`${(ms / 1000).toFixed(2)} s`);
  if (ms < 119_950) return right(`${(ms / 1000).toFixed(1)} s`);
  return right(`${(ms / 60_000).toFixed(1)} min`);
};

/** Difference of two fractions in percentage points. */
export const pointChange = (current: number, previous: number | null | undefined): Cell => {
  if (previous === null || previous === undefined) return dash;
  const points = Number(((current - previous) * 100).toFixed(1));
  if (points === 0) return { text: '±0 pt', tone: 'dim', align: 'right' };
  return {
    text: `${points > 0 ? '+' : ''}${points.toFixed(1)} pt`,
    tone: points > 0 ? 'bad' : 'good',
    align: 'right',
  };
};

const shades = ['·', '░', '▒', '▓', '█'];

/** One character per count, darker for more of `max`; zero is a dot. */
export const heat = (counts: readonly number[], max: number): string =>
  counts
    .map((count) => shades[count === 0 || max === 0 ? 0 : Math.max(1, Math.ceil((count / max) * 4))] ?? ' ')
    .join('');

/** Text in a tone, for the pieces of a line. */
export const tinted = (text: string, tone: NonNullable<Cell['tone']>): Cell => ({ text, tone });
