import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/**
 * Durable events. A row stays until every follower has succeeded, or until it is given up and retention deletes it.
 */
export const outbox = sqliteTable(
  'outbox',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    /** The name of the durable event. */
    event: text('event').notNull(),
    payload: text('payload', { mode: 'json' }).notNull(),
    /** An event waits for older ones with the same key; null for one that waits for none. */
    orderKey: text('order_key'),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
    /** When the next attempt may begin. */
    dueAt: integer('due_at', { mode: 'timestamp_ms' }).notNull(),
    /** Attempts so far, including the current one. */
    attempts: integer('attempts').notNull().default(0),
    /** Names of the modules whose followers have succeeded. */
    done: text('done', { mode: 'json' }).$type<readonly string[]>().notNull().default([]),
    /** When the event was given up; null while attempts continue. */
    failedAt: integer('failed_at', { mode: 'timestamp_ms' }),
    /** The last error. */
    error: text('error'),
  },
  (table) => [
    index('outbox_due').on(table.dueAt).where(sql`failed_at IS NULL`),
    index('outbox_order')
      .on(table.orderKey, table.id)
      .where(sql`failed_at IS NULL AND order_key IS NOT NULL`),
  ],
);
