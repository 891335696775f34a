import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { organizations, users } from '../orgs/table.ts';

const time = (name: string) => integer(name, { mode: 'timestamp_ms' });

/** Login sessions (better-auth). */
export const sessions = sqliteTable(
  'sessions',
  {
    id: text('id').primaryKey(),
    expiresAt: time('expires_at').notNull(),
    token: text('token').notNull().unique(),
    createdAt: time('created_at').notNull(),
    updatedAt: time('updated_at').notNull(),
    ipAddress: text('ip_address'),
    userAgent: text('user_agent'),
    /** Id of the identity provider that the person signed in through; null for any other way. */
    provider: text('provider'),
    /** When the person last repeated their password or a factor; null since the sign-in. */
    provenAt: time('proven_at'),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
  },
  (table) => [index('sessions_user').on(table.userId)],
);

/** A person's ways to sign in: the password hash and OAuth accounts (better-auth). */
export const accounts = sqliteTable(
  'accounts',
  {
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
  },
  (table) => [
    uniqueIndex('accounts_identity').on(table.providerId, table.accountId),
    index('accounts_user').on(table.userId),
  ],
);

/** Hashes of single-use tokens of links: better-auth creates `magic-link:`, `links.ts` the others. */
export const verifications = sqliteTable(
  'verifications',
  {
    id: text('id').primaryKey(),
    identifier: text('identifier').notNull(),
    value: text('value').notNull(),
    expiresAt: time('expires_at').notNull(),
    createdAt: time('created_at').notNull(),
    updatedAt: time('updated_at').notNull(),
  },
  (table) => [uniqueIndex('verifications_identifier').on(table.identifier)],
);

/** One-time links that let the first owner set up a file without one. Only the hash is stored. */
export const setupTokens = sqliteTable('setup_tokens', {
  hash: text('hash').primaryKey(),
  expiresAt: time('expires_at').notNull(),
  usedAt: time('used_at'),
});

/** Domains of email addresses whose people join an organization when they sign in through a provider. */
export const emailDomains = sqliteTable(
  'email_domains',
  {
    /** In lower case; only addresses of exactly this domain count. */
    domain: text('domain').primaryKey(),
    organizationId: text('organization_id')
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    /** Id of the provider in the operator's settings. */
    provider: text('provider').notNull(),
    role: text('role', { enum: ['admin', 'member', 'viewer'] }).notNull(),
    /** Whether these people must sign in through the provider. */
    ssoRequired: integer('sso_required', { mode: 'boolean' }).notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [index('email_domains_organization').on(table.organizationId)],
);

/** Who has joined an organization by their domain. It happens once, so that a removed member stays removed. */
export const domainJoins = sqliteTable(
  'domain_joins',
  {
    organizationId: text('organization_id')
      .notNull()
      .references(() => organizations.id, { onDelete: 'cascade' }),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: time('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.organizationId] }),
    index('domain_joins_organization').on(table.organizationId),
  ],
);

/** Authenticator apps (RFC 6238), one per person. */
export const totpFactors = sqliteTable('totp_factors', {
  userId: text('user_id')
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** The shared secret in base32, encrypted with a key derived from the server's secret (`db/seal.ts`). */
  sealed: text('sealed').notNull(),
  /** The newest accepted time step; it and earlier ones are refused. */
  lastStep: integer('last_step').notNull(),
  createdAt: time('created_at').notNull(),
  lastUsedAt: time('last_used_at'),
});

/** Hashes of the recovery codes in force; a used one keeps its row until the codes are replaced. */
export const recoveryCodes = sqliteTable(
  'recovery_codes',
  {
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    hash: text('hash').notNull(),
    usedAt: time('used_at'),
  },
  (table) => [primaryKey({ columns: [table.userId, table.hash] })],
);

/** Passkeys (WebAuthn credentials). */
export const passkeys = sqliteTable(
  'passkeys',
  {
    id: text('id').primaryKey(),
    userId: text('user_id')
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    /** The authenticator's id of the credential, base64url. */
    credentialId: text('credential_id').notNull().unique(),
    /** COSE key, base64url. */
    publicKey: text('public_key').notNull(),
    /** The authenticator's count of signatures; 0 if it keeps none. */
    counter: integer('counter').notNull(),
    /** How browsers reach the authenticator, as JSON: `internal`, `usb`, … */
    transports: text('transports', { mode: 'json' }).$type<string[]>().notNull(),
    /** Whether a password manager keeps copies of it. */
    backedUp: integer('backed_up', { mode: 'boolean' }).notNull(),
    createdAt: time('created_at').notNull(),
    lastUsedAt: time('last_used_at'),
  },
  (table) => [index('passkeys_user').on(table.userId)],
);
