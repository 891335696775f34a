import { badRequest } from '../../../../../errors.ts';
import type { Sum } from '../../../measures.ts';
import type { Group } from './groups.ts';

/** Maximum number of groups in memory; with percentiles, each of which may have a histogram of 6 kB. */
export const MAX_GROUPS = 200_000;
export const MAX_GROUPS_OF_TIMES = 20_000;

/** @throws AppError 400 */
export function refuseTooManyGroups(groups: ReadonlyMap<string, Group>, most: number): void {
  if (groups.size <= most) return;
  throw badRequest(
    `groupBy: there are more than ${most.toLocaleString('en-US')} groups in this window; filter, choose fewer or coarser dimensions, a shorter window or a longer bucket`,
  );
}

/** The total of a sum over all groups. */
export const total = (groups: ReadonlyMap<string, Group>, sum: Sum): number =>
  groups.values().reduce((all, group) => all + group.sums[sum], 0);
