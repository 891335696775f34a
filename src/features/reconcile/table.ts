import {
  foreignKey,
  index,
  integer,
  primaryKey,
  real,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core';
import { organizations } from '../../core/orgs/table.ts';
import { projects } from '../../core/projects/table.ts';
import { APART_KINDS, LAYOUTS, type Reconciliation } from './contract.ts';

const time = (name: string) => integer(name, { mode: 'timestamp_ms' });

/** Comparisons of a project that somebody kept. The export itself is not stored. */
export const reconciliations = sqliteTable(
  'reconciliations',
  {
    id: text('id').primaryKey(),
    organizationId: text('organization_id').notNull(),
    projectId: text('project_id').notNull(),
    /** `YYYY-MM` of the first day. */
    month: text('month').notNull(),
    name: text('name').notNull(),
    note: text('note').notNull(),
    layout: text('layout', { enum: LAYOUTS }).notNull(),
    fromDay: text('from_day').notNull(),
    toDay: text('to_day').notNull(),
    /** Nano-dollars; null if unknown. */
    invoiceNano: integer('invoice_nano'),
    booksNano: integer('books_nano'),
    driftNano: integer('drift_nano'),
    lines: integer('lines').notNull(),
    differing: integer('differing').notNull(),
    /** With its largest lines. */
    result: text('result', { mode: 'json' }).$type<Reconciliation>().notNull(),
    createdAt: time('created_at').notNull(),
    updatedAt: time('updated_at').notNull(),
  },
  (table) => [
    foreignKey({
      columns: [table.projectId, table.organizationId],
      foreignColumns: [projects.id, projects.organizationId],
    }),
    index('reconciliations_month').on(table.projectId, table.month),
  ],
);

/**
 * What providers say that they billed: a row for each day and model, or for an amount that is no model's. Fetched days
 * are replaced each night.
 */
export const providerFigures = sqliteTable(
  'provider_figures',
  {
    organizationId: text('organization_id')
      .notNull()
      .references(() => organizations.id),
    /** The id that the operator gave it. */
    connector: text('connector').notNull(),
    /** Days since the epoch, UTC. */
    day: integer('day').notNull(),
    kind: text('kind', { enum: ['model', ...APART_KINDS] }).notNull(),
    /** The model as the provider names it, or what else is billed. */
    label: text('label').notNull(),
    currency: text('currency').notNull(),
    /** Billionths of the currency. */
    amountNano: integer('amount_nano').notNull(),
    calls: integer('calls'),
    fresh: integer('fresh'),
    cacheRead: integer('cache_read'),
    cacheWrite: integer('cache_write'),
    output: integer('output'),
    /** The amount before the provider changed a settled day; null if it did not. */
    firstNano: integer('first_nano'),
    restatedAt: time('restated_at'),
    fetchedAt: time('fetched_at').notNull(),
  },
  (table) => [
    primaryKey({
      columns: [
        ...([table.organizationId, table.connector, table.day] as const),
        ...([table.kind, table.label, table.currency] as const),
      ],
    }),
  ],
);

/** How the last fetch of a connector went. */
export const connectorStates = sqliteTable(
  'connector_states',
  {
    organizationId: text('organization_id')
      .notNull()
      .references(() => organizations.id),
    connector: text('connector').notNull(),
    attemptedAt: time('attempted_at').notNull(),
    succeededAt: time('succeeded_at'),
    /** Why the last attempt failed; null if it did not. */
    error: text('error'),
    /** Of the last success: its days, and what it found. */
    fromDay: integer('from_day'),
    toDay: integer('to_day'),
    figures: integer('figures').notNull(),
    restated: integer('restated').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organizationId, table.connector] })],
);

/** From which difference on an organization is warned: both have to be reached. */
export const driftThresholds = sqliteTable('drift_thresholds', {
  organizationId: text('organization_id')
    .primaryKey()
    .references(() => organizations.id),
  percent: real('percent').notNull(),
  usdNano: integer('usd_nano').notNull(),
  updatedAt: time('updated_at').notNull(),
});

/** Days and models whose difference reached the threshold, each once. */
export const driftWarnings = sqliteTable(
  'drift_warnings',
  {
    id: text('id').primaryKey(),
    organizationId: text('organization_id')
      .notNull()
      .references(() => organizations.id),
    connector: text('connector').notNull(),
    day: text('day').notNull(),
    model: text('model').notNull(),
    providerNano: integer('provider_nano').notNull(),
    ledgerNano: integer('ledger_nano').notNull(),
    warnedAt: time('warned_at').notNull(),
    /** When the two agreed again. */
    clearedAt: time('cleared_at'),
  },
  (table) => [
    uniqueIndex('drift_warnings_once').on(table.organizationId, table.connector, table.day, table.model),
    index('drift_warnings_organization').on(table.organizationId, table.warnedAt),
  ],
);
