import { and, eq, lte, sql } from 'drizzle-orm';
import type { Ctx } from '../../../context.ts';
import {
  type Notification,
  notificationStatement,
  notificationsWritten,
} from '../../../core/deliveries/index.ts';
import { publicUrl } from '../../../core/mail/index.ts';
import type { ProjectScope } from '../../../core/tenancy/index.ts';
import { AppError } from '../../../errors.ts';
import { formatInstant, MINUTE_MS } from '../../../lib/time.ts';
import { alertPath } from '../notify/to-notification.ts';
import type { AlertRow } from '../queries.ts';
import { alerts } from '../table.ts';

/** A failure that passes sooner is caught up and told nobody. */
const PATIENCE_MS = 5 * MINUTE_MS;
/** Alerts that are told of one by one at once; the others follow in the next minutes. */
const AT_ONCE = 20;

/** Keeps why the alerts of a project could not be judged, and tells their channels once, if it lasts. */
export async function noteFailure(ctx: Ctx, { projectId }: ProjectScope, error: unknown): Promise<void> {
  const message = error instanceof AppError ? error.message : 'The server failed; its log says why';
  if (!(error instanceof AppError)) ctx.log.error({ err: error, projectId }, 'alerts could not be judged');
  const now = new Date(ctx.now());
  const ofProject = and(eq(alerts.projectId, projectId), eq(alerts.enabled, true));
  await ctx.db.sql
    .update(alerts)
    .set({ error: message, errorSince: sql`coalesce(error_since, ${now.getTime()})` })
    .where(ofProject);
  const lasting = await ctx.db.sql
    .select()
    .from(alerts)
    .where(
      and(
        ofProject,
        eq(alerts.errorTold, false),
        lte(alerts.errorSince, new Date(now.getTime() - PATIENCE_MS)),
      ),
    )
    .limit(AT_ONCE);
  if (lasting.length === 0) return;
  const [first, ...rest] = lasting.flatMap((row) => [
    ctx.db.sql.update(alerts).set({ errorTold: true }).where(eq(alerts.id, row.id)),
    notificationStatement(ctx, toNotification(row, message, publicUrl(ctx))),
  ]);
  if (first !== undefined) await ctx.db.sql.batch([first, ...rest]);
  ctx.emit(notificationsWritten);
}

/** The notification that an alert cannot be judged. */
function toNotification(alert: AlertRow, error: string, origin: string): Notification {
  const { id, name, organizationId, projectId, rule, channelIds, errorSince } = alert;
  const summary = `"${name}" cannot be judged`;
  const since = formatInstant(errorSince?.getTime() ?? 0);
  return {
    organizationId,
    projectId,
    userId: rule.filters.userId ?? null,
    type: 'alert.no_data',
    channelIds,
    data: {
      alert: { id, name, url: `${origin}${alertPath(alert)}` },
      projectId,
      group: null,
      severity: null,
      previousSeverity: null,
      measure: rule.measure,
      value: null,
      threshold: null,
      windowStart: null,
      windowEnd: null,
      incidentId: null,
      error,
      summary,
    },
    message: {
      title: summary,
      text: `${error}. The alert says nothing until this is mended.`,
      facts: [{ label: 'Since', value: since }],
      severity: 'warning',
      subject: `alert ${id} error`,
      link: { label: 'Open alert', path: alertPath(alert) },
    },
  };
}
