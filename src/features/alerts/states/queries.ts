import { and, desc, eq, gt, isNull, lt, or } from 'drizzle-orm';
import type { Ctx } from '../../../context.ts';
import { badRequest } from '../../../errors.ts';
import { formatInstant } from '../../../lib/time.ts';
import type { AlertDetail, AlertHistory, GroupState } from '../contract.ts';
import { type AlertRow, RANK, readAlert } from '../queries.ts';
import { alertGroups, alertHistory, silences } from '../table.ts';

const iso = (at: Date): string => formatInstant(at.getTime());

/** An alert with its groups that are not ok. Throws AppError 404. */
export async function readAlertDetail(ctx: Ctx, projectId: string, id: string): Promise<AlertDetail> {
  const alert = await readAlert(ctx, projectId, id);
  const [groups, quiet] = await Promise.all([
    ctx.db.sql.select().from(alertGroups).where(eq(alertGroups.alertId, id)),
    ctx.db.sql
      .select()
      .from(silences)
      .where(
        and(
          eq(silences.projectId, projectId),
          gt(silences.until, new Date(ctx.now())),
          or(isNull(silences.alertId), eq(silences.alertId, id)),
        ),
      ),
  ]);
  const silencedUntil = (group: string): string | null => {
    const ends = quiet
      .filter(({ groupKey }) => groupKey === null || groupKey === group)
      .map(({ until }) => until.getTime());
    return ends.length === 0 ? null : formatInstant(Math.max(...ends));
  };
  const states = groups.map(
    (row): GroupState => ({
      group: alert.groupBy === null ? null : row.groupKey,
      state: row.state,
      since: iso(row.since),
      value: row.value,
      threshold: row.threshold,
      baseline: row.baseline,
      unpriced: row.unpriced,
      calls: row.calls,
      reason: row.reason,
      silencedUntil: silencedUntil(row.groupKey),
    }),
  );
  return {
    ...alert,
    states: states
      .filter(({ state }) => state !== 'ok')
      .sort((a, b) => RANK[a.state] - RANK[b.state] || (a.group ?? '').localeCompare(b.group ?? '')),
  };
}

type HistoryQuery = {
  readonly group?: string | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
};

/** Changes of state of an alert, newest first. Throws AppError 400 for an unknown cursor. */
export async function listHistory(
  ctx: Ctx,
  { id, rule }: Pick<AlertRow, 'id' | 'rule'>,
  { group, cursor, limit }: HistoryQuery,
): Promise<AlertHistory> {
  const rows = await ctx.db.sql
    .select()
    .from(alertHistory)
    .where(
      and(
        eq(alertHistory.alertId, id),
        group === undefined ? undefined : eq(alertHistory.groupKey, group),
        cursor === undefined ? undefined : beforeCursor(cursor),
      ),
    )
    .orderBy(desc(alertHistory.at), desc(alertHistory.id))
    .limit(limit + 1);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    history: shown.map((row) => ({
      id: row.id,
      group: rule.groupBy === null ? null : row.groupKey,
      at: iso(row.at),
      recordedAt: iso(row.recordedAt),
      from: row.from,
      to: row.to,
      value: row.value,
      threshold: row.threshold,
      baseline: row.baseline,
      unpriced: row.unpriced,
      calls: row.calls,
      reason: row.reason,
      notified: row.notified,
      superseded: row.supersededAt !== null,
    })),
    nextCursor: rows.length > limit && last !== undefined ? `${last.at.getTime()} ${last.id}` : null,
  };
}

function beforeCursor(cursor: string) {
  const [, at, id] = /^(\d{1,15}) (\w{1,60})$/.exec(cursor) ?? [];
  if (at === undefined || id === undefined)
    throw badRequest('cursor: is not one of this list; leave it out for the first page');
  return or(
    lt(alertHistory.at, new Date(Number(at))),
    and(eq(alertHistory.at, new Date(Number(at))), lt(alertHistory.id, id)),
  );
}
