import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

const time = (name: string) => integer(name, { mode: 'timestamp_ms' });

/** People. The columns are better-auth's; times are epoch milliseconds. */
export const users = sqliteTable('users', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  email: text('email').notNull().unique(),
  emailVerified: integer('email_verified', { mode: 'boolean' }).notNull().default(false),
  image: text('image'),
  /** Whether they have an authenticator app or a passkey; `core/auth` keeps it true to its tables. */
  secondFactor: integer('second_factor', { mode: 'boolean' }).notNull().default(false),
  /** The zone in which the dashboard shows times: an IANA name, or `browser`. */
  timeZone: text('time_zone').notNull().default('UTC'),
  createdAt: time('created_at').notNull(),
  updatedAt: time('updated_at').notNull(),
});

/** Organizations: they own projects, people, plan and quota. */
export const organizations = sqliteTable('organizations', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  plan: text('plan', { enum: ['free', 'pro', 'scale'] }).notNull(),
  /** Overrides of the plan's limits, set by the operator; null keeps the plan's. */
  monthlyEvents: integer('monthly_events'),
  monthlyBytes: integer('monthly_bytes'),
  retentionDays: integer('retention_days'),
  /** Whether members without a second factor are kept out. */
  requiresSecondFactor: integer('requires_second_factor', { mode: 'boolean' }).notNull().default(false),
  createdAt: time('created_at').notNull(),
  /** Time of the deletion request; the purge job removes the rest within 24 hours. */
  deletedAt: time('deleted_at'),
});

/** Members of organizations with their roles. */
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
    createdAt: time('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.organizationId] }),
    index('members_organization').on(table.organizationId),
  ],
);
