import { and, eq, ne, or } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { Ctx } from '../../../context.ts';
import { alertChanged } from '../../../core/alerts/index.ts';
import { notificationStatement } from '../../../core/deliveries/index.ts';
import { publicUrl } from '../../../core/mail/index.ts';
import { outboxStatement } from '../../../core/outbox/index.ts';
import { newId } from '../../../db/new-id.ts';
import { NO_COST } from '../judge/reading.ts';
import { toChange } from '../notify/to-change.ts';
import { type Tidings, toNotification } from '../notify/to-notification.ts';
import type { AlertRow } from '../queries.ts';
import { alertGroups, alertHistory } from '../table.ts';

/** Statements that end the states of an alert's groups, and tell so whoever was told that they fire. */
export async function closeGroups(ctx: Ctx, alert: AlertRow): Promise<BatchItem<'sqlite'>[]> {
  const now = new Date(ctx.now());
  const rows = await ctx.db.sql
    .select()
    .from(alertGroups)
    .where(
      and(eq(alertGroups.alertId, alert.id), or(ne(alertGroups.state, 'ok'), ne(alertGroups.told, 'ok'))),
    );
  const statements: BatchItem<'sqlite'>[] = rows.flatMap((row): BatchItem<'sqlite'>[] => {
    const id = newId('ach', now.getTime());
    const isTold = row.told !== 'ok';
    const tidings: Tidings = {
      outcome: 'resolved',
      groupKey: row.groupKey,
      state: 'ok',
      previous: row.told,
      value: null,
      threshold: null,
      baseline: null,
      ...NO_COST,
      reason: 'rule_changed',
      windowStart: row.since.getTime(),
      windowEnd: now.getTime(),
    };
    const history = ctx.db.sql.insert(alertHistory).values({
      id,
      alertId: alert.id,
      projectId: alert.projectId,
      groupKey: row.groupKey,
      userId: row.userId,
      at: now,
      recordedAt: now,
      from: row.state,
      to: 'ok',
      reason: 'rule_changed',
      notified: isTold ? (alert.opensIncident ? 'incident' : 'sent') : 'none',
    });
    if (!isTold) return [history];
    const told = alert.opensIncident
      ? outboxStatement(ctx, alertChanged, toChange(alert, tidings, { id, silenced: false }))
      : notificationStatement(ctx, toNotification(alert, tidings, publicUrl(ctx)));
    return [history, told];
  });
  return [...statements, ctx.db.sql.delete(alertGroups).where(eq(alertGroups.alertId, alert.id))];
}
