import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { users } from '../orgs/table.ts';

const time = (name: string) => integer(name, { mode: 'timestamp_ms' });

/** Signed-in sessions (better-auth). */
export const sessions = sqliteTable('sessions', {
  id: text('id').primaryKey(),
  expiresAt: time('expires_at').notNull(),
  token: text('token').notNull().unique(),
  createdAt: time('created_at').notNull(),
  updatedAt: time('updated_at').notNull(),
  ipAddress: text('ip_address'),
  userAgent: text('user_agent'),
  userId: text('user_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' }),
});

/** Ways of signing in of one person: the password hash and OAuth accounts (better-auth). */
export const accounts = sqliteTable('accounts', {
  id: text('id').primaryKey(),
  accountId: text('account_id').notNull(),
  providerId: text('provider_id').notNull(),
  userId: text('user_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' }),
  accessToken: text('access_token'),
  refreshToken: text('refresh_token'),
  idToken: text('id_token'),
  accessTokenExpiresAt: time('access_token_expires_at'),
  refreshTokenExpiresAt: time('refresh_token_expires_at'),
  scope: text('scope'),
  password: text('password'),
  createdAt: time('created_at').notNull(),
  updatedAt: time('updated_at').notNull(),
});

/** Single-use tokens: verification, magic links (better-auth). */
export const verifications = sqliteTable('verifications', {
  id: text('id').primaryKey(),
  identifier: text('identifier').notNull(),
  value: text('value').notNull(),
  expiresAt: time('expires_at').notNull(),
  createdAt: time('created_at').notNull(),
  updatedAt: time('updated_at').notNull(),
});

/** One-time links that let the first owner set up a file without one. Only the hash is kept. */
export const setupTokens = sqliteTable('setup_tokens', {
  hash: text('hash').primaryKey(),
  expiresAt: time('expires_at').notNull(),
  usedAt: time('used_at'),
});
