import { index, integer, real, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { organizations } from '../orgs/table.ts';

/** Projects. `no` is the small integer that stands for the project in the event store. */
export const projects = sqliteTable(
  'projects',
  {
    no: integer('no').primaryKey({ autoIncrement: true }),
    id: text('id').notNull().unique(),
    organizationId: text('organization_id')
      .notNull()
      .references(() => organizations.id),
    name: text('name').notNull(),
    storePrompts: integer('store_prompts', { mode: 'boolean' }).notNull().default(false),
    /** Keys redacted beyond the default list: a JSON array of strings. */
    redactKeys: text('redact_keys', { mode: 'json' }).$type<string[]>().notNull().default([]),
    sampleRate: real('sample_rate').notNull().default(1),
    flushIntervalMs: integer('flush_interval_ms').notNull().default(5_000),
    maxBatchSize: integer('max_batch_size').notNull().default(100),
    /** Counts the changes of what an SDK is told: from sampling to batch size. */
    configVersion: integer('config_version').notNull().default(1),
    /** Names of environments that pages offer before an event has brought them. */
    environments: text('environments', { mode: 'json' }).$type<string[]>().notNull().default([]),
    /** Days that raw events are kept, where fewer than the organization's plan allows. */
    retentionDays: integer('retention_days'),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
    /** Set when deletion was asked for; the purge job removes the rest within 24 hours. */
    deletedAt: integer('deleted_at', { mode: 'timestamp_ms' }),
  },
  (table) => [
    index('projects_organization').on(table.organizationId),
    // What belongs to a project and names its organization too refers to both at once.
    uniqueIndex('projects_id_organization').on(table.id, table.organizationId),
  ],
);
