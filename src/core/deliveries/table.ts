import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { organizations } from '../orgs/table.ts';
import { projects } from '../projects/table.ts';
import {
  CHANNEL_KINDS,
  type ChannelSettings,
  DISABLED_REASONS,
  type SubscribedType,
} from './channels/contract.ts';
import { type Attempt, DELIVERY_STATUSES } from './contract.ts';
import type { Message } from './message.ts';

const time = (name: string) => integer(name, { mode: 'timestamp_ms' });

/** Where notifications of an organization go. */
export const channels = sqliteTable(
  'channels',
  {
    id: text('id').primaryKey(),
    organizationId: text('organization_id')
      .notNull()
      .references(() => organizations.id),
    name: text('name').notNull(),
    kind: text('kind', { enum: CHANNEL_KINDS }).notNull(),
    /** What people may see: the recipients or the host. */
    target: text('target').notNull(),
    /** The settings that are not secret. The URL of a webhook was one of them until it was sealed too. */
    settings: text('settings', { mode: 'json' })
      .$type<ChannelSettings & { readonly url?: string }>()
      .notNull(),
    /** The secret settings, encrypted (`db/seal.ts`); null for e-mail. */
    sealed: text('sealed'),
    enabled: integer('enabled', { mode: 'boolean' }).notNull(),
    /** Types that the channel gets although no rule names it. */
    types: text('types', { mode: 'json' }).$type<readonly SubscribedType[]>().notNull(),
    /** Why the product disabled the channel; null if it did not. */
    disabledReason: text('disabled_reason', { enum: DISABLED_REASONS }),
    /** First failure since the last success. */
    failingSince: time('failing_since'),
    lastDeliveredAt: time('last_delivered_at'),
    createdAt: time('created_at').notNull(),
    updatedAt: time('updated_at').notNull(),
  },
  (table) => [uniqueIndex('channels_name').on(table.organizationId, table.name)],
);

/**
 * Notifications on their way to a channel, and the log of those that arrived or were given up. `notify.ts` writes rows in
 * the order of these columns.
 */
export const deliveries = sqliteTable(
  'deliveries',
  {
    id: text('id').primaryKey(),
    organizationId: text('organization_id')
      .notNull()
      .references(() => organizations.id),
    projectId: text('project_id').references(() => projects.id),
    /** The end user whom the notification is about. */
    userId: text('user_id'),
    channelId: text('channel_id')
      .notNull()
      .references(() => channels.id, { onDelete: 'cascade' }),
    /** The same for all channels and attempts, so that receivers recognise a repetition. */
    messageId: text('message_id').notNull(),
    type: text('type').notNull(),
    data: text('data', { mode: 'json' }).$type<object>().notNull(),
    message: text('message', { mode: 'json' }).$type<Message>().notNull(),
    status: text('status', { enum: DELIVERY_STATUSES }).notNull(),
    /** Attempts of the current schedule. */
    attempts: integer('attempts').notNull(),
    /** The newest attempts, oldest first. */
    log: text('log', { mode: 'json' }).$type<readonly Attempt[]>().notNull(),
    /** When the next attempt may begin. */
    nextAt: time('next_at').notNull(),
    createdAt: time('created_at').notNull(),
    /** When it arrived or was given up. */
    finishedAt: time('finished_at'),
  },
  (table) => [
    index('deliveries_due').on(table.channelId, table.nextAt).where(sql`status = 'pending'`),
    index('deliveries_order')
      .on(table.channelId, sql`(message ->> '$.subject')`)
      .where(sql`status = 'pending'`),
    index('deliveries_next').on(table.nextAt).where(sql`status = 'pending'`),
    index('deliveries_organization').on(table.organizationId, table.id),
  ],
);
