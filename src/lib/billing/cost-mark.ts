import { countText, numberText } from '../figures.ts';

/** How much of a cost is known: all of it, a part, or nothing. Calls without a known price are in no cost. */
export type CostMark = 'known' | 'minimum' | 'unpriced';

/** How much is known of the cost of calls. */
export const costMark = ({ unpriced, calls }: { unpriced: number; calls: number }): CostMark =>
  unpriced === 0 ? 'known' : unpriced >= calls ? 'unpriced' : 'minimum';

const TOTALS: readonly string[] = ['cost', 'runCost'];
const COSTS: readonly string[] = [...TOTALS, 'costAvg', 'runCostAvg'];

/**
 * How much is known of a value of a measure, beside which so many calls are unpriced. A mean is of the calls or runs that
 * have a price, so it is no minimum.
 */
export function markOf(measure: string, value: number | null, unpriced: number | null | undefined): CostMark {
  if ((unpriced ?? 0) === 0 || !COSTS.includes(measure)) return 'known';
  return value === null ? 'unpriced' : TOTALS.includes(measure) ? 'minimum' : 'known';
}

/** `27 of 57 calls unpriced` */
export const unpricedText = ({ unpriced, calls }: { unpriced: number; calls: number }): string =>
  `${numberText(unpriced)} of ${countText(calls, 'call')} unpriced`;
