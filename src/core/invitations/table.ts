import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { organizations } from '../orgs/table.ts';

const time = (name: string) => integer(name, { mode: 'timestamp_ms' });

/** Invitations to organizations. The link's token is kept as a hash only. */
export const invitations = sqliteTable(
  'invitations',
  {
    id: text('id').primaryKey(),
    organizationId: text('organization_id')
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    /** Who may accept; null: whoever has the link. */
    email: text('email'),
    role: text('role', { enum: ['admin', 'member', 'viewer'] }).notNull(),
    hash: text('hash').notNull().unique(),
    /** Whether the link went to the address and nowhere else: who uses it then has that mailbox. */
    mailed: integer('mailed', { mode: 'boolean' }).notNull(),
    createdAt: time('created_at').notNull(),
    /** A person's id; null for the operator. */
    createdBy: text('created_by'),
    expiresAt: time('expires_at').notNull(),
    acceptedAt: time('accepted_at'),
    acceptedBy: text('accepted_by'),
    revokedAt: time('revoked_at'),
  },
  (table) => [index('invitations_organization').on(table.organizationId)],
);
