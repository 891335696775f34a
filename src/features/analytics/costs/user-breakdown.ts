import { countEvents, queryUsers } from '../../../core/events/index.ts';
import type { ReadOp } from '../../../db/reader.ts';
import { badRequest } from '../../../errors.ts';
import type { CostBreakdown } from '../contract.ts';
import { bucketOf } from '../fill-buckets.ts';
import type { AnalyticsInput } from '../input.ts';
import { withinLedger } from '../within-ledger.ts';
import { costBreakdownRead } from './cost-breakdown.ts';
import { MAX_GROUPS } from './group-others.ts';
import { byDay, toGroup } from './label-breakdown.ts';

/** With a filter the calls are read one by one, no more than these. */
const MAX_CALLS = 500_000;
/** In a window that is told by the hour they are read as well, if they are so few: sums of users know days. */
const FEW_CALLS = 50_000;

/**
 * What the calls of a window cost by user, and on each of its UTC days, or in each hour where they are few: the
 * dearest users one by one, the others together, and the calls of nobody. Throws 400 for a filter over too
 * many calls: the sums of users know none.
 */
export const userBreakdownRead: ReadOp<AnalyticsInput, CostBreakdown> = {
  name: 'analytics.user-breakdown',
  run(reader, input) {
    const { filters, now } = input;
    const window = withinLedger(reader, input.window, now);
    const calls = countEvents(reader, { filters: {}, calls: true }, window);
    const isFiltered = Object.values(filters).some((value) => value !== undefined);
    if (isFiltered && calls > MAX_CALLS) {
      const [most, found] = [MAX_CALLS, calls].map((count) => count.toLocaleString('en-US'));
      throw badRequest(
        `start: with a filter costs by user are told for at most ${most} calls, not ${found}; choose less time or no filter`,
      );
    }
    if (isFiltered || (bucketOf(window) === 'hour' && calls <= FEW_CALLS))
      return costBreakdownRead.run(reader, { ...input, by: 'userId' });
    const { users, others, nobody } = queryUsers(reader, window, MAX_GROUPS);
    const groups = [...users, ...(nobody.sums.requests > 0 ? [nobody] : [])]
      .sort((a, b) => b.sums.cost_nano - a.sums.cost_nano || b.sums.requests - a.sums.requests)
      .map(toGroup);
    if (others.users > 0) {
      const { none: _, ...group } = toGroup(others.group);
      groups.push({ ...group, value: '…', others: others.users });
    }
    return byDay(window, 'userId', groups);
  },
};
