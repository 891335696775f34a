import { sql } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import type { ReadOp } from '../../db/reader.ts';

const MONTHS = 13;

/** What was counted of an organization: days and months without events are left out. */
export type UsageCounts = {
  readonly days: { date: string; events: number }[];
  readonly months: { month: string; events: number }[];
  readonly warnings: { threshold: number; at: number }[];
};
type Asked = { readonly since: string; readonly month: string; readonly quota: number };

/** The counts of the organization that the reader is opened for. */
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
 * An organization's days since `since` (`YYYY-MM-DD`), its newest 13 months, and the warnings of a month
 * (`YYYY-MM`) under a quota; `at` in epoch milliseconds.
 */
export async function readUsageCounts(ctx: Ctx, organizationId: string, asked: Asked): Promise<UsageCounts> {
  return JSON.parse(await ctx.db.read(countsRead, { projects: [], organizationId }, asked));
}

/** A warning that was not sent yet, and to whom it goes. */
export type Warning = {
  readonly organizationId: string;
  readonly name: string;
  readonly threshold: number;
  readonly quota: number;
  readonly month: string;
  readonly emails: string;
};

/** Warnings of a month that were not sent, with the addresses of owners and admins as a JSON list. */
export async function listUnsent(ctx: Ctx, month: string): Promise<Warning[]> {
  return ctx.db.sql.all<Warning>(
    sql`SELECT w.organization_id AS organizationId, o.name, w.threshold, w.quota, w.month,
          (SELECT json_group_array(u.email) FROM members m JOIN users u ON u.id = m.user_id
           WHERE m.organization_id = o.id AND m.role IN ('owner', 'admin')) AS emails
        FROM quota_warnings w JOIN organizations o ON o.id = w.organization_id
        WHERE w.month = ${month} AND w.sent_at IS NULL ORDER BY w.at`,
  );
}

/** Marks a warning as sent; false when another process did so first. */
export async function markSent(ctx: Ctx, warning: Warning): Promise<boolean> {
  const { organizationId, month, threshold, quota } = warning;
  const marked = await ctx.db.sql.run(
    sql`UPDATE quota_warnings SET sent_at = ${ctx.now()} WHERE organization_id = ${organizationId}
        AND month = ${month} AND threshold = ${threshold} AND quota = ${quota} AND sent_at IS NULL`,
  );
  return marked.rowsAffected > 0;
}
