import type { Ctx } from '../../context.ts';
import type { ReadOp } from '../../db/reader.ts';
import type { QuotaUnit, Usage } from './quota-warned.ts';

const MONTHS = 13;

/** Event counts of an organization; days and months without events are left out. */
export type UsageCounts = {
  readonly days: { date: string; events: number; bytes: number }[];
  readonly months: { month: string; events: number; bytes: number }[];
  readonly warnings: { unit: QuotaUnit; threshold: number; at: number }[];
};
type Asked = { readonly since: string; readonly month: string; readonly quota: Usage };

/** Event counts of the reader's organization. */
export const countsRead: ReadOp<Asked, UsageCounts> = {
  name: 'usage.counts',
  run: (reader, { since, month, quota }) => ({
    days: reader.all('SELECT day AS date, events, bytes FROM usage_days WHERE day >= ?', [since]),
    months: reader.all('SELECT month, events, bytes FROM usage_months ORDER BY month DESC LIMIT ?', [MONTHS]),
    warnings: reader.all(
      `SELECT unit, threshold, at FROM quota_warnings
       WHERE month = ? AND quota = CASE unit WHEN 'events' THEN ? ELSE ? END ORDER BY unit DESC, threshold`,
      [month, quota.events, quota.bytes],
    ),
  }),
};

/**
 * Reads an organization's days since `since` (`YYYY-MM-DD`), its newest 13 months, and the warnings of a month
 * (`YYYY-MM`) for its quotas; `at` in epoch milliseconds.
 */
export async function readUsageCounts(ctx: Ctx, organizationId: string, asked: Asked): Promise<UsageCounts> {
  return (await ctx.db.read(countsRead, { projects: [], organizationId }, asked)).parse();
}
