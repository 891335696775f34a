import { sql } from 'drizzle-orm';
import { blob, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { organizations } from '../../core/orgs/table.ts';
import { projects } from '../../core/projects/table.ts';
import type { StatementSettings } from './contract.ts';

const time = (name: string) => integer(name, { mode: 'timestamp_ms' });
const organizationId = text('organization_id')
  .notNull()
  .references(() => organizations.id);

/** How an organization bills its costs, for each kind of party. */
export const statementDefinitions = sqliteTable(
  'statement_definitions',
  {
    id: text('id').primaryKey(),
    organizationId,
    /** `project`, `user`, `key` or `tag:NAME`. */
    by: text('by').notNull(),
    settings: text('settings', { mode: 'json' }).$type<StatementSettings>().notNull(),
    createdAt: time('created_at').notNull(),
    updatedAt: time('updated_at').notNull(),
  },
  (table) => [uniqueIndex('statement_definitions_by').on(table.organizationId, table.by)],
);

/**
 * Days of the ledger by party, kept before retention deletes their events, so that a statement needs no events and an
 * expired day is no correction.
 */
export const statementDays = sqliteTable(
  'statement_days',
  {
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id),
    by: text('by').notNull(),
    /** Days since the epoch. */
    day: integer('day').notNull(),
    /** Of `EventStore.ledgerDays`. */
    stamp: text('stamp').notNull(),
    /** JSON array of names, so that an erasure can rename one. */
    parties: text('parties').notNull(),
    /** Accounts and rows of a `LedgerDay` as JSON, compressed. */
    sums: blob('sums', { mode: 'buffer' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.by, table.day] })],
);

/** Closed months, and at most one that is being written. */
export const statementMonths = sqliteTable(
  'statement_months',
  {
    id: text('id').primaryKey(),
    organizationId,
    definitionId: text('definition_id')
      .notNull()
      .references(() => statementDefinitions.id),
    /** `YYYY-MM`. */
    month: text('month').notNull(),
    /** Null while its statements are written; they do not count before. */
    closedAt: time('closed_at'),
    settings: text('settings', { mode: 'json' }).$type<StatementSettings>().notNull(),
    /** The accounts to which the sums of its statements refer, as JSON, compressed. */
    accounts: blob('accounts', { mode: 'buffer' }).notNull(),
    /** The months to which they refer: this one, then those that it corrects. */
    months: text('months', { mode: 'json' }).$type<readonly string[]>().notNull(),
    /** What the ledger of each closed month was like when it was billed last, by month. */
    marks: text('marks', { mode: 'json' }).$type<Readonly<Record<string, string>>>().notNull(),
    statements: integer('statements').notNull(),
    calls: integer('calls').notNull(),
    unpriced: integer('unpriced').notNull(),
    costNano: integer('cost_nano').notNull(),
    correctionsNano: integer('corrections_nano').notNull(),
    /** In the currency, as a decimal number. */
    total: text('total').notNull(),
    /** Places of statements that were handed to channels. */
    notified: integer('notified').notNull(),
  },
  (table) => [
    uniqueIndex('statement_months_once').on(table.definitionId, table.month),
    index('statement_months_organization').on(table.organizationId),
  ],
);

/** The statements of a month, which never change. */
export const statements = sqliteTable(
  'statement_documents',
  {
    monthId: text('month_id')
      .notNull()
      .references(() => statementMonths.id, { onDelete: 'cascade' }),
    /** From 0, the highest cost first. */
    place: integer('place').notNull(),
    organizationId,
    /** Ids and names as `partyKey` makes them. */
    party: text('party').notNull(),
    hasCorrections: integer('has_corrections', { mode: 'boolean' }).notNull(),
    /** A `StatementSummary` as JSON, and the whole `Statement`, compressed. */
    summary: text('summary').notNull(),
    document: blob('document', { mode: 'buffer' }).notNull(),
    /** Rows of sums as JSON, compressed: what later months are compared with. */
    sums: blob('sums', { mode: 'buffer' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.monthId, table.place] }),
    uniqueIndex('statement_documents_party').on(table.monthId, table.party),
    index('statement_documents_organization').on(table.organizationId),
    index('statement_documents_corrections').on(table.monthId).where(sql`has_corrections = 1`),
  ],
);
