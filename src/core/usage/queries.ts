import type { Ctx } from '../../context.ts';
import type { ReadOp } from '../../db/reader.ts';

const MONTHS = 13;

/** Event counts of an organization; days and months without events are left out. */
export type UsageCounts = {
  readonly days: { date: string; events: number }[];
  readonly months: { month: string; events: number }[];
  readonly warnings: { threshold: number; at: number }[];
};
type Asked = { readonly since: string; readonly month: string; readonly quota: number };

/** Event counts of the reader's organization. */
export const countsRead: ReadOp<Asked, UsageCounts> = {
  name: 'usage.counts',
  run: (reader, { since, month, quota }) => ({
    days: reader.all('SELECT day AS date, events FROM usage_days WHERE day >= ?', [since]),
    months: reader.all('SELECT month, events FROM usage_months ORDER BY month DESC LIMIT ?', [MONTHS]),
    warnings: reader.all(
      'SELECT threshold, at FROM quota_warnings WHERE month = ? AND quota = ? ORDER BY threshold',
      [month, quota],
    ),
  }),
};

/**
 * Reads an organization's days since `since` (`YYYY-MM-DD`), its newest 13 months, and the warnings of a month
 * (`YYYY-MM`) for a quota; `at` in epoch milliseconds.
 */
export async function readUsageCounts(ctx: Ctx, organizationId: string, asked: Asked): Promise<UsageCounts> {
  return (await ctx.db.read(countsRead, { projects: [], organizationId }, asked)).parse();
}
