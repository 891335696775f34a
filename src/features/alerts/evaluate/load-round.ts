import { and, eq, gt } from 'drizzle-orm';
import type { Ctx } from '../../../context.ts';
import { MINUTE_MS } from '../../../lib/time.ts';
import type { AlertRow } from '../queries.ts';
import { alertGroups, alertProgress, alerts, silences } from '../table.ts';
import type { RoundInput } from './round.ts';

/** What a round needs from the tables of a project. @param isFirst whether states are read too */
export async function loadRound(
  ctx: Ctx,
  projectId: string,
  { at, now, isFirst }: { readonly at: number; readonly now: number; readonly isFirst: boolean },
): Promise<{ readonly alerts: ReadonlyMap<string, AlertRow>; readonly input: RoundInput }> {
  const [rows, quiet] = await Promise.all([
    ctx.db.sql
      .select()
      .from(alerts)
      .where(and(eq(alerts.projectId, projectId), eq(alerts.enabled, true))),
    ctx.db.sql
      .select({ alertId: silences.alertId, group: silences.groupKey })
      .from(silences)
      .where(and(eq(silences.projectId, projectId), gt(silences.until, new Date(now)))),
  ]);
  return {
    alerts: new Map(rows.map((row) => [row.id, row])),
    input: {
      at,
      now,
      rules: rows.map(({ id, version, rule, updatedAt, opensIncident, channelIds }) => ({
        id,
        version,
        rule,
        since: Math.floor(updatedAt.getTime() / MINUTE_MS),
        opensIncident,
        notifies: channelIds.length > 0,
      })),
      silences: quiet,
      stored: isFirst ? await loadStored(ctx, projectId) : null,
    },
  };
}

async function loadStored(ctx: Ctx, projectId: string): Promise<RoundInput['stored']> {
  const [[progress], groups] = await Promise.all([
    ctx.db.sql.select().from(alertProgress).where(eq(alertProgress.projectId, projectId)),
    ctx.db.sql.select().from(alertGroups).where(eq(alertGroups.projectId, projectId)),
  ]);
  return {
    judgedTo: progress === undefined ? null : progress.judgedTo.getTime() / MINUTE_MS,
    marks: progress?.marks ?? [],
    groups: groups.map(({ alertId, groupKey, trail, told, toldAt }) => ({
      alertId,
      group: groupKey,
      trail,
      told,
      toldAt: toldAt?.getTime() ?? null,
    })),
  };
}
