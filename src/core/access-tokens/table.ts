import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { organizations, users } from '../orgs/table.ts';
import { projects } from '../projects/table.ts';
import type { TokenScope } from '../tenancy/contract.ts';

const time = (name: string) => integer(name, { mode: 'timestamp_ms' });

/** Access tokens of machines. Only the hash and the public start of a token are stored. */
export const accessTokens = sqliteTable(
  'access_tokens',
  {
    id: text('id').primaryKey(),
    organizationId: text('organization_id')
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    /** The only project that the token reaches; null for the whole organization. */
    projectId: text('project_id').references(() => projects.id),
    name: text('name').notNull(),
    scopes: text('scopes', { mode: 'json' }).$type<readonly TokenScope[]>().notNull(),
    prefix: text('prefix').notNull(),
    hash: text('hash').notNull().unique(),
    createdAt: time('created_at').notNull(),
    /** The member whose role limits the token. */
    createdBy: text('created_by')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** When that membership began. Somebody who leaves and joins again has another one, so the token stays dead. */
    memberSince: time('member_since').notNull(),
    lastUsedAt: time('last_used_at'),
    expiresAt: time('expires_at'),
    revokedAt: time('revoked_at'),
  },
  (table) => [index('access_tokens_organization').on(table.organizationId)],
);
