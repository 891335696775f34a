import { and, asc, eq, gt, sql } from 'drizzle-orm';
import type { Ctx } from '../../../context.ts';
import { MINUTE_MS } from '../../../lib/time.ts';
import type { AlertRow } from '../queries.ts';
import { alertGroups, alertProgress, alerts, silences } from '../table.ts';
import type { RoundInput, RuleInput } from './round.ts';

/** The alerts of a project as the round before had them. `print` changes with them. */
export type LoadedAlerts = { readonly print: string; readonly alerts: ReadonlyMap<string, AlertRow> };

/** What a round needs from the tables. `hadErrors`: alerts have an error from an earlier round. */
export type LoadedRound = LoadedAlerts & { readonly input: RoundInput; readonly hadErrors: boolean };

/** Rows that are read at once: each read holds up the thread that answers HTTP. */
const AT_ONCE = 100;

/**
 * Reads what a round needs from the tables of a project.
 * @param known what the round before read, so that unchanged alerts are not read again; null for the first round, which
 * reads the stored states too
 */
export async function loadRound(
  ctx: Ctx,
  projectId: string,
  { at, now, known }: { readonly at: number; readonly now: number; readonly known: LoadedAlerts | null },
): Promise<LoadedRound> {
  const enabled = and(eq(alerts.projectId, projectId), eq(alerts.enabled, true));
  const [[seen], quiet] = await Promise.all([
    ctx.db.sql
      .select({
        // A new alert has a new row or time, a changed one a higher version, and one less is one less.
        print: sql<string>`count(*) || ' ' || total(${alerts.version}) || ' ' || total(${alerts.updatedAt}) || ' ' || coalesce(max(${alerts}.rowid), 0)`,
        failing: sql<number>`count(${alerts.error})`,
      })
      .from(alerts)
      .where(enabled),
    ctx.db.sql
      .select({ alertId: silences.alertId, group: silences.groupKey })
      .from(silences)
      .where(and(eq(silences.projectId, projectId), gt(silences.until, new Date(now)))),
  ]);
  const { print = '', failing = 0 } = seen ?? {};
  const isKnown = known?.print === print;
  const rows = isKnown ? known.alerts : await loadAlerts(ctx, projectId);
  return {
    print,
    alerts: rows,
    hadErrors: failing > 0,
    input: {
      at,
      now,
      rules: isKnown ? null : [...rows.values()].map(toRule),
      silences: quiet,
      stored: known === null ? await loadStored(ctx, projectId) : null,
    },
  };
}

async function loadAlerts(ctx: Ctx, projectId: string): Promise<Map<string, AlertRow>> {
  const found = new Map<string, AlertRow>();
  for (let after: string | null = ''; after !== null; ) {
    const rows: AlertRow[] = await ctx.db.sql
      .select()
      .from(alerts)
      .where(and(eq(alerts.projectId, projectId), eq(alerts.enabled, true), gt(alerts.name, after)))
      .orderBy(asc(alerts.name))
      .limit(AT_ONCE);
    for (const row of rows) found.set(row.id, row);
    after = rows.length < AT_ONCE ? null : (rows.at(-1)?.name ?? null);
    // Requests are answered between the reads.
    await Bun.sleep(0);
  }
  return found;
}

const toRule = (row: AlertRow): RuleInput => ({
  id: row.id,
  version: row.version,
  rule: row.rule,
  since: Math.floor(row.updatedAt.getTime() / MINUTE_MS),
  opensIncident: row.opensIncident,
  notifies: row.channelIds.length > 0,
  stored: row.evaluatedAt === null ? null : { state: row.state, groups: row.groups, trend: row.trend },
});

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
