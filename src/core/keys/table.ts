import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { projects } from '../projects/table.ts';

/**
 * Project API keys. `prefix` is the public prefix for finding a key; the rest is stored only as a bcrypt hash.
 */
export const apiKeys = sqliteTable(
  'api_keys',
  {
    id: text('id').primaryKey(),
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id),
    name: text('name').notNull(),
    prefix: text('prefix').notNull(),
    hash: text('hash').notNull(),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
    createdBy: text('created_by'),
    lastUsedAt: integer('last_used_at', { mode: 'timestamp_ms' }),
    /** When the key ends: the expiry it was created with, or the end of the grace period after a rotation. Null: never. */
    validUntil: integer('valid_until', { mode: 'timestamp_ms' }),
    revokedAt: integer('revoked_at', { mode: 'timestamp_ms' }),
    /** The key that replaced this one. */
    rotatedTo: text('rotated_to'),
    /** When the admins were told that the key is about to expire. */
    expiryNoticedAt: integer('expiry_noticed_at', { mode: 'timestamp_ms' }),
  },
  (table) => [index('api_keys_prefix').on(table.prefix), index('api_keys_project').on(table.projectId)],
);
