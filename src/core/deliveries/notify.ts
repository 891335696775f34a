import { type SQL, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import { type Ctx, defineEvent } from '../../context.ts';
import type { Connection, SqlValue } from '../../db/connection.ts';
import { newId } from '../../db/new-id.ts';
import type { Message } from './message.ts';
import { deliveries } from './table.ts';

/** Types of notifications, the `type` of webhooks. */
export type NotificationType =
  | 'alert.fired'
  | 'alert.escalated'
  | 'alert.resolved'
  | 'alert.no_data'
  | 'incident.opened'
  | 'incident.updated'
  | 'incident.resolved'
  | 'budget.crossed'
  | 'quota.warned'
  | 'model.unpriced'
  | 'reconcile.drift'
  | 'guardrail.blocked'
  | 'prompt.published'
  | 'evaluation.failed'
  | 'report.ready'
  | 'statement.closed'
  | 'channel.test';

/** Something that an organization wants to know. */
export type Notification = {
  readonly organizationId: string;
  /** The project that it is about; its deliveries are deleted with it. */
  readonly projectId?: string | null;
  /** The end user that it is about; its deliveries are deleted when they are erased. Needs a project. */
  readonly userId?: string | null;
  readonly type: NotificationType;
  /** For programs: the `data` of webhooks, as plain JSON. */
  readonly data: object;
  /** For people. */
  readonly message: Message;
  /** The channels that get it. Without them, those that subscribe to the type. */
  readonly channelIds?: readonly string[];
  /** `msg_…`, for those who ask for its deliveries later (`deliveriesOfMessages`); by default a new one. */
  readonly messageId?: string;
};

/**
 * Emit this after committing notifications, so that they are sent immediately; otherwise they are sent within a minute.
 */
export const notificationsWritten = defineEvent('notifications.written', 'leader');

/** Waiting deliveries of a channel; further notifications are dropped, so that a dead endpoint fills no disk. */
const MAX_WAITING = 10_000;

/** One row for each enabled channel that gets the notification, in the order of the columns of `deliveries`. */
const SELECT = `SELECT substr(?, 1, 20) || lower(hex(randomblob(8))), c.organization_id, ?, ?, c.id, ?, ?, ?, ?,
    'pending', 0, '[]', ?, ?, NULL
  FROM channels AS c
  WHERE c.organization_id = ? AND c.enabled = 1
    AND CASE WHEN ? IS NULL THEN EXISTS (SELECT 1 FROM json_each(c.types) WHERE value = ?)
        ELSE c.id IN (SELECT value FROM json_each(?)) END
    AND (SELECT count(*) FROM deliveries AS d WHERE d.channel_id = c.id AND d.status = 'pending') < ${MAX_WAITING}`;

function valuesOf(notification: Notification, now: number): SqlValue[] {
  const { organizationId, projectId = null, userId = null, type, data, message, channelIds } = notification;
  const { messageId = newId('msg', now) } = notification;
  const named = channelIds === undefined ? null : JSON.stringify(channelIds);
  return [
    messageId.replace('msg_', 'dlv_'),
    projectId,
    userId,
    messageId,
    type,
    JSON.stringify(data),
    JSON.stringify(message),
    now,
    now,
    organizationId,
    named,
    type,
    named,
  ];
}

/**
 * A notification as a statement for `commitChange` or `batch`, so that it commits together with its cause.
 * @param when an SQL condition; without it, the notification is always written
 * @example statements: [fire, notificationStatement(ctx, { organizationId, type: 'alert.fired', data, message, channelIds })]
 */
export function notificationStatement(ctx: Ctx, notification: Notification, when?: SQL): BatchItem<'sqlite'> {
  const [first = '', ...rest] = SELECT.split('?');
  const values = valuesOf(notification, ctx.now());
  const chunks = values.flatMap((value, i) => [sql`${value}`, sql.raw(rest[i] ?? '')]);
  const select = sql.join([sql.raw(first), ...chunks, ...(when === undefined ? [] : [sql` AND ${when}`])]);
  return ctx.db.sql.insert(deliveries).select(select);
}

/** Writes notifications in the open transaction of the writing connection. */
export type Notifier = {
  /** @param now epoch milliseconds */
  add(notification: Notification, now: number): void;
};

/** For write operations and effects; use `notificationStatement` for lists of statements. */
export function createNotifier(connection: Connection): Notifier {
  const insert = connection.prepare(`INSERT INTO deliveries ${SELECT}`);
  return { add: (notification, now) => void insert.run(valuesOf(notification, now)) };
}
