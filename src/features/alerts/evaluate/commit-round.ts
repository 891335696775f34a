import type { Ctx } from '../../../context.ts';
import { type Notification, notificationsWritten } from '../../../core/deliveries/index.ts';
import { publicUrl } from '../../../core/mail/index.ts';
import { outboxWritten } from '../../../core/outbox/index.ts';
import type { ProjectScope } from '../../../core/tenancy/index.ts';
import { newId } from '../../../db/new-id.ts';
import { toChange } from '../notify/to-change.ts';
import { toGroupedNotification, toNotification } from '../notify/to-notification.ts';
import type { AlertRow } from '../queries.ts';
import type { GroupChange, RoundOutcome } from './round.ts';
import { type SettledGroup, type Settlement, settleOp } from './settle-op.ts';

/** Groups and alerts that one transaction writes, so that none holds up the writer for long. */
const AT_ONCE = 100;
/** More notifications of one kind about one alert in one round become one. */
const MAX_SINGLE = 10;

/**
 * Records the outcome of a round, some groups at a time. If it is interrupted, the round is repeated and finds those
 * groups as they are. How far the project is judged is written last.
 * @returns number of groups that changed
 */
export async function commitRound(
  ctx: Ctx,
  { projectId }: ProjectScope,
  {
    alerts,
    outcome,
    signal,
  }: {
    readonly alerts: ReadonlyMap<string, AlertRow>;
    readonly outcome: RoundOutcome;
    readonly signal: AbortSignal;
  },
): Promise<number> {
  const now = ctx.now();
  const groups = settleGroups(ctx, alerts, outcome.changes);
  let written = 0;
  const write = async (part: Pick<Settlement, 'groups' | 'summaries' | 'progress'>): Promise<void> => {
    signal.throwIfAborted();
    written += await ctx.db.writer.write(settleOp, { projectId, now, ...part });
    if (part.groups.some(({ notifications }) => notifications.length > 0)) ctx.emit(notificationsWritten);
    if (part.groups.some(({ events }) => events.length > 0)) ctx.emit(outboxWritten);
  };
  for (let at = 0; at < groups.length; at += AT_ONCE)
    await write({ groups: groups.slice(at, at + AT_ONCE), summaries: [], progress: null });
  const progress = { at: outcome.at, marks: outcome.marks };
  const { summaries } = outcome;
  for (let at = 0; at === 0 || at < summaries.length; at += AT_ONCE)
    await write({ groups: [], summaries: summaries.slice(at, at + AT_ONCE), progress });
  return written;
}

function settleGroups(
  ctx: Ctx,
  alerts: ReadonlyMap<string, AlertRow>,
  changes: readonly GroupChange[],
): SettledGroup[] {
  const notices = notificationsOf(ctx, alerts, changes);
  return changes.flatMap((change): SettledGroup[] => {
    const alert = alerts.get(change.alertId);
    if (alert === undefined) return [];
    const ids = change.history.map(() => newId('ach', ctx.now()));
    return [
      {
        change,
        ids,
        userId: alert.rule.groupBy === 'user' && change.group !== '' ? change.group : null,
        notifications: notices.get(change) ?? [],
        events: alert.opensIncident
          ? change.tidings.map(({ silenced, ...tidings }) =>
              toChange(alert, tidings, { id: newId('ach', ctx.now()), silenced }),
            )
          : [],
      },
    ];
  });
}

/** Notifications by the change in whose transaction they are written. */
function notificationsOf(
  ctx: Ctx,
  alerts: ReadonlyMap<string, AlertRow>,
  changes: readonly GroupChange[],
): Map<GroupChange, Notification[]> {
  const origin = publicUrl(ctx);
  const told = changes.flatMap((change) => {
    const alert = alerts.get(change.alertId);
    if (alert === undefined || alert.opensIncident || alert.channelIds.length === 0) return [];
    // Nobody is called because something got better but is not over.
    const heard = change.tidings.filter(({ outcome }) => outcome !== 'eased');
    return heard.map((tidings) => ({ alert, change, tidings }));
  });
  const found = new Map<GroupChange, Notification[]>();
  for (const own of Map.groupBy(told, ({ alert, tidings }) => `${alert.id} ${tidings.outcome}`).values()) {
    const [first] = own;
    const add = (change: GroupChange, notification: Notification): void => {
      found.set(change, [...(found.get(change) ?? []), notification]);
    };
    if (first === undefined) continue;
    if (own.length > MAX_SINGLE)
      add(
        first.change,
        toGroupedNotification(
          first.alert,
          own.map(({ tidings }) => tidings),
          origin,
        ),
      );
    else for (const { alert, change, tidings } of own) add(change, toNotification(alert, tidings, origin));
  }
  return found;
}
