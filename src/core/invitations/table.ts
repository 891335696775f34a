import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { organizations } from '../orgs/table.ts';

const time = (name: string) => integer(name, { mode: 'timestamp_ms' });

/** Invitations to organizations. Only the hash of the link's token is stored. */
export const invitations = sqliteTable(
  'invitations',
  {
    id: text('id').primaryKey(),
    organizationId: text('organization_id')
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    /** Who may accept; null: anybody with the link. */
    email: text('email'),
    role: text('role', { enum: ['admin', 'member', 'viewer'] }).notNull(),
    hash: text('hash').notNull().unique(),
    /** Whether the link was only mailed to the address, so that whoever uses it owns the mailbox. */
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
