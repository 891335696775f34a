import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { users } from '../auth/table.ts';

/** Organizations: they own projects, people, plan and quota. */
export const organizations = sqliteTable('organizations', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  plan: text('plan', { enum: ['free', 'pro', 'scale'] }).notNull(),
  /** Overrides of the plan's limits, set by the operator; null keeps the plan's. */
  monthlyEvents: integer('monthly_events'),
  retentionDays: integer('retention_days'),
  createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
});

/** Who belongs to which organization, as what (decisions.md, Sign-in and people). */
export const members = sqliteTable(
  'members',
  {
    organizationId: text('organization_id')
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    role: text('role', { enum: ['owner', 'admin', 'member', 'viewer'] }).notNull(),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.organizationId] })],
);
