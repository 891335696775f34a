import type { Ctx } from '../../../context.ts';
import { type Notification, notificationsWritten } from '../../../core/deliveries/index.ts';
import { publicUrl } from '../../../core/mail/index.ts';
import { outboxWritten } from '../../../core/outbox/index.ts';
import type { ProjectScope } from '../../../core/tenancy/index.ts';
import { newId } from '../../../db/new-id.ts';
import { toChange } from '../notify/to-change.ts';
import { toGroupedNotification, toNotification } from '../notify/to-notification.ts';
import type { AlertRow } from '../queries.ts';
import type { LoadedRound } from './load-round.ts';
import type { GroupChange, RoundOutcome } from './round.ts';
import { type SettledGroup, type Settlement, settleOp } from './settle-op.ts';

/** Groups and alerts that one transaction writes: a millisecond, so that ingestion does not wait for them. */
const AT_ONCE = 20;
/** After a transaction as long a pause as it took, so that others get their turn; at most that many milliseconds. */
const MAX_PAUSE_MS = 20;
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
    hadErrors,
    outcome,
    signal,
  }: Pick<LoadedRound, 'alerts' | 'hadErrors'> & {
    readonly outcome: RoundOutcome;
    readonly signal: AbortSignal;
  },
): Promise<number> {
  const now = ctx.now();
  const groups = settleGroups(ctx, alerts, outcome.changes);
  let written = 0;
  const { at } = outcome;
  const write = async (part: Partial<Omit<Settlement, 'projectId' | 'now' | 'at'>>): Promise<void> => {
    signal.throwIfAborted();
    const settlement = { ...NOTHING, projectId, now, at, ...part };
    const since = performance.now();
    written += await ctx.db.writer.write(settleOp, settlement);
    announce(ctx, settlement);
    if (part.progress === undefined) await Bun.sleep(Math.min(MAX_PAUSE_MS, performance.now() - since));
  };
  for (const part of partsOf(groups, AT_ONCE)) await write({ groups: part });
  for (const part of partsOf(outcome.summaries, AT_ONCE)) await write({ summaries: part });
  for (const part of partsOf(outcome.groups, AT_ONCE)) await write({ figures: part });
  const { marks, figures } = outcome;
  await write({ progress: { at, marks, figures, hadErrors } });
  return written;
}

const NOTHING = { groups: [], summaries: [], figures: [], progress: null } as const;

const partsOf = <T>(all: readonly T[], size: number): (readonly T[])[] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size));

/** Wakes those who send what was written. */
function announce(ctx: Ctx, { groups }: Settlement): void {
  if (groups.some(({ notifications }) => notifications.length > 0)) ctx.emit(notificationsWritten);
  if (groups.some(({ events }) => events.length > 0)) ctx.emit(outboxWritten);
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
