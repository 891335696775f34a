import type { SeriesPart, Sum } from '../../../core/events/index.ts';
import type { Mark } from './round.ts';

/** Sums that change with every call, however it is corrected. */
export const MARK_READ_SUMS: readonly Sum[] = [
  'requests',
  'errors',
  'timeouts',
  'rate_limited',
  'cost_nano',
  'unpriced',
  'input_tokens',
  'cache_read_tokens',
  'output_tokens',
  'latency_us',
  'ttft_us',
];

/** Below 2^53 with any sum, which is at most 2^53 itself. */
const MODULUS = 2_147_483_647;

/** A fingerprint of each minute of a span, from its sums by minute. */
export function marksOf(parts: readonly SeriesPart[], from: number, to: number): Mark[] {
  const width = MARK_READ_SUMS.length + 2;
  const prints = new Map<number, number>();
  for (const { cells } of parts)
    for (let cell = 0; cell < cells.length; cell += width) {
      const sums = cells.slice(cell + 2, cell + width);
      prints.set(
        cells[cell] as number,
        sums.reduce((print, sum) => (print * 31 + (sum % MODULUS)) % MODULUS, 7),
      );
    }
  return Array.from({ length: to - from }, (_, i): Mark => [from + i, prints.get(from + i) ?? 0]);
}
