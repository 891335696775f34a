import { foreignKey, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { projects } from '../projects/table.ts';

/**
 * Calls that run, with the most that each can cost. A row is deleted in the transaction that stores the call's event.
 * Rows of an earlier process are calls whose outcome is unknown.
 */
export const modelCalls = sqliteTable(
  'model_calls',
  {
    /** Id of the call's event. */
    id: text('id').primaryKey(),
    organizationId: text('organization_id').notNull(),
    projectId: text('project_id').notNull(),
    /** `YYYY-MM` in UTC, of the start. */
    month: text('month').notNull(),
    reservedNano: integer('reserved_nano').notNull(),
    startedAt: integer('started_at', { mode: 'timestamp_ms' }).notNull(),
    /** Random name of the process that makes the call. */
    process: text('process').notNull(),
    /** Fields of the event that are known before the call: no content. */
    event: text('event', { mode: 'json' }).$type<Readonly<Record<string, unknown>>>().notNull(),
  },
  (table) => [
    foreignKey({
      columns: [table.projectId, table.organizationId],
      foreignColumns: [projects.id, projects.organizationId],
    }),
    index('model_calls_month').on(table.organizationId, table.month),
  ],
);

/** What the calls of an organization cost by month. */
export const modelMonths = sqliteTable(
  'model_months',
  {
    organizationId: text('organization_id').notNull(),
    /** `YYYY-MM` in UTC. */
    month: text('month').notNull(),
    calls: integer('calls').notNull(),
    /** The known costs, and for calls whose cost is unknown what was reserved for them. */
    spentNano: integer('spent_nano').notNull(),
    /** The part of `spentNano` that was reserved for calls whose cost is unknown. */
    assumedNano: integer('assumed_nano').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organizationId, table.month] })],
);

/**
 * Calls that are made once per key, so that a job that is resumed does not pay twice. The answer is kept until the
 * caller has stored what it needs of it.
 */
export const modelAnswers = sqliteTable(
  'model_answers',
  {
    organizationId: text('organization_id').notNull(),
    projectId: text('project_id').notNull(),
    /** Unique in the project; the caller's name for this call. */
    key: text('key').notNull(),
    /** Times that the call was begun. */
    attempt: integer('attempt').notNull(),
    /** Event of the newest attempt. */
    eventId: text('event_id').notNull(),
    startedAt: integer('started_at', { mode: 'timestamp_ms' }).notNull(),
    /** JSON of the answer; null while the call runs, and if it failed. */
    answer: text('answer'),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.key] }),
    foreignKey({
      columns: [table.projectId, table.organizationId],
      foreignColumns: [projects.id, projects.organizationId],
    }),
  ],
);
