import { eq } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { organizations } from '../../core/orgs/table.ts';
import { limitsOf } from '../../core/plans/index.ts';
import { readUsageCounts } from '../../core/usage/index.ts';
import { notAMember } from '../../errors.ts';
import { DAY_MS, floorToDay, formatInstant, monthKey, startOfNextMonth } from '../../lib/time.ts';
import type { Usage } from './contract.ts';
import { forecastUsage } from './forecast.ts';

const DAYS = 31;

/** The usage of an organization that the caller may see. Throws AppError 403 when it is gone. */
export async function readUsage(ctx: Ctx, organizationId: string): Promise<Usage> {
  const [organization] = await ctx.db.sql
    .select()
    .from(organizations)
    .where(eq(organizations.id, organizationId));
  if (organization === undefined) throw notAMember();
  const now = ctx.now();
  const month = monthKey(now);
  const { monthlyEvents, monthlyBytes, retentionDays } = limitsOf(organization);
  const today = floorToDay(now);
  const dates = Array.from({ length: DAYS }, (_, i) =>
    formatInstant(today - (DAYS - 1 - i) * DAY_MS).slice(0, 10),
  );
  const asked = { since: dates[0] ?? '', month, quota: { events: monthlyEvents, bytes: monthlyBytes } };
  const { days, months, warnings } = await readUsageCounts(ctx, organizationId, asked);
  const byDate = new Map(days.map((day) => [day.date, day]));
  const daily = dates.map((date) => byDate.get(date) ?? { date, events: 0, bytes: 0 });
  const used = months.find((one) => one.month === month) ?? { events: 0, bytes: 0 };
  const inBytes = daily.map(({ date, bytes }) => ({ date, events: bytes }));
  return {
    organizationId,
    plan: organization.plan,
    month,
    ...shareOf({ used: used.events, limit: monthlyEvents, daily }, now),
    bytes: shareOf({ used: used.bytes, limit: monthlyBytes, daily: inBytes }, now),
    resetsAt: formatInstant(startOfNextMonth(now)),
    retentionDays,
    daily,
    months,
    warnings: warnings.map(({ at, ...warning }) => ({ ...warning, at: formatInstant(at) })),
  };
}

/** How much of a quota is used, and what the month will come to. */
function shareOf(of: Parameters<typeof forecastUsage>[0], now: number): Usage['bytes'] {
  const { used, limit } = of;
  const { forecast, exhaustedAt } = forecastUsage(of, now);
  return {
    used,
    limit,
    remaining: Math.max(0, limit - used),
    percent: limit === 0 ? 100 : Math.round((used / limit) * 10_000) / 100,
    forecast,
    exhaustedAt: exhaustedAt === null ? null : formatInstant(exhaustedAt),
  };
}
