import { eq, sql } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { organizations } from '../../core/orgs/table.ts';
import { limitsOf } from '../../core/plans/index.ts';
import type { ReadOp } from '../../db/reader.ts';
import { notAMember } from '../../errors.ts';
import { DAY_MS, floorToDay, formatInstant, monthKey, startOfNextMonth } from '../../lib/time.ts';
import type { Usage } from './contract.ts';
import { forecastUsage } from './forecast.ts';

const DAYS = 31;
const MONTHS = 13;

type Counts = {
  readonly days: { date: string; events: number }[];
  readonly months: { month: string; events: number }[];
  readonly warnings: { threshold: number; at: number }[];
};

/** What was counted of the organization that the reader is opened for. */
export const readCounts: ReadOp<{ since: string; month: string; quota: number }, Counts> = {
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

/** The usage of an organization that the caller may see. Throws AppError 403 when it is gone. */
export async function readUsage(ctx: Ctx, organizationId: string): Promise<Usage> {
  const [organization] = await ctx.db.sql
    .select()
    .from(organizations)
    .where(eq(organizations.id, organizationId));
  if (organization === undefined) throw notAMember();
  const now = ctx.now();
  const month = monthKey(now);
  const { monthlyEvents: limit, retentionDays } = limitsOf(organization);
  const today = floorToDay(now);
  const dates = Array.from({ length: DAYS }, (_, i) =>
    formatInstant(today - (DAYS - 1 - i) * DAY_MS).slice(0, 10),
  );
  const input = { since: dates[0] ?? '', month, quota: limit };
  const text = await ctx.db.read(readCounts, { projects: [], organizationId }, input);
  const { days, months, warnings } = JSON.parse(text) as Counts;
  const byDate = new Map(days.map(({ date, events }) => [date, events]));
  const daily = dates.map((date) => ({ date, events: byDate.get(date) ?? 0 }));
  const used = months.find((one) => one.month === month)?.events ?? 0;
  const { forecast, exhaustedAt } = forecastUsage({ used, limit, daily }, now);
  return {
    organizationId,
    plan: organization.plan,
    month,
    used,
    limit,
    remaining: Math.max(0, limit - used),
    percent: limit === 0 ? 100 : Math.round((used / limit) * 10_000) / 100,
    forecast,
    exhaustedAt: exhaustedAt === null ? null : formatInstant(exhaustedAt),
    resetsAt: formatInstant(startOfNextMonth(now)),
    retentionDays,
    daily,
    months,
    warnings: warnings.map(({ threshold, at }) => ({ threshold, at: formatInstant(at) })),
  };
}

/** A warning of which nobody was told yet, with whom to tell. */
export type Warning = {
  readonly organizationId: string;
  readonly name: string;
  readonly threshold: number;
  readonly quota: number;
  readonly month: string;
  readonly emails: string;
};

/** Warnings of a month that were not sent, with the addresses of owners and admins, as a JSON list. */
export async function listUnsent(ctx: Ctx, month: string): Promise<Warning[]> {
  return ctx.db.sql.all<Warning>(
    sql`SELECT w.organization_id AS organizationId, o.name, w.threshold, w.quota, w.month,
          (SELECT json_group_array(u.email) FROM members m JOIN users u ON u.id = m.user_id
           WHERE m.organization_id = o.id AND m.role IN ('owner', 'admin')) AS emails
        FROM quota_warnings w JOIN organizations o ON o.id = w.organization_id
        WHERE w.month = ${month} AND w.sent_at IS NULL ORDER BY w.at`,
  );
}

/** Marks a warning as sent; false when somebody else did. */
export async function markSent(ctx: Ctx, warning: Warning): Promise<boolean> {
  const { organizationId, month, threshold, quota } = warning;
  const marked = await ctx.db.sql.run(
    sql`UPDATE quota_warnings SET sent_at = ${ctx.now()} WHERE organization_id = ${organizationId}
        AND month = ${month} AND threshold = ${threshold} AND quota = ${quota} AND sent_at IS NULL`,
  );
  return marked.rowsAffected > 0;
}
