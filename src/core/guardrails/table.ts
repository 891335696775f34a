import {
  foreignKey,
  integer,
  primaryKey,
  real,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core';
import { type Check, FAILURE_MODES, STAGES } from '../../lib/guardrails/definition.ts';
import { projects } from '../projects/table.ts';

const time = (name: string) => integer(name, { mode: 'timestamp_ms' });

/** What a guardrail does. */
const definition = {
  version: integer('version').notNull(),
  stage: text('stage', { enum: STAGES }).notNull(),
  checks: text('checks', { mode: 'json' }).$type<readonly Check[]>().notNull(),
  failureMode: text('failure_mode', { enum: FAILURE_MODES }).notNull(),
  environments: text('environments', { mode: 'json' }).$type<readonly string[]>().notNull(),
  sampleRate: real('sample_rate').notNull(),
  /** A person's id, or `operator`. They may be a member no more. */
  createdBy: text('created_by').notNull(),
  createdAt: time('created_at').notNull(),
};

/** Guardrails of projects, in their newest version. */
export const guardrails = sqliteTable(
  'guardrails',
  {
    id: text('id').primaryKey(),
    organizationId: text('organization_id').notNull(),
    projectId: text('project_id').notNull(),
    name: text('name').notNull(),
    description: text('description').notNull(),
    enabled: integer('enabled', { mode: 'boolean' }).notNull(),
    ...definition,
    updatedAt: time('updated_at').notNull(),
  },
  (table) => [
    foreignKey({
      columns: [table.projectId, table.organizationId],
      foreignColumns: [projects.id, projects.organizationId],
    }),
    uniqueIndex('guardrails_name').on(table.projectId, table.name),
  ],
);

/** Every version of a guardrail, the newest too. They do not change. */
export const guardrailVersions = sqliteTable(
  'guardrail_versions',
  {
    guardrailId: text('guardrail_id')
      .notNull()
      .references(() => guardrails.id, { onDelete: 'cascade' }),
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id),
    ...definition,
  },
  (table) => [primaryKey({ columns: [table.guardrailId, table.version] })],
);

/**
 * Outcomes by hour. A check that found something has a row for each user and model; texts that passed are counted
 * without a user.
 */
export const guardrailCounts = sqliteTable(
  'guardrail_counts',
  {
    /** The number of the project. */
    project: integer('project')
      .notNull()
      .references(() => projects.no),
    /** Start of the hour. */
    hour: time('hour').notNull(),
    guardrail: text('guardrail').notNull(),
    /** Kind of the check; empty: the guardrail as a whole. */
    check: text('check_kind').notNull(),
    outcome: text('outcome').notNull(),
    environment: text('environment').notNull(),
    model: text('model').notNull(),
    userId: text('user_id').notNull(),
    count: integer('count').notNull(),
  },
  (table) => [
    primaryKey({
      columns: [
        table.project,
        table.hour,
        table.guardrail,
        table.check,
        table.outcome,
        table.environment,
        table.model,
        table.userId,
      ],
    }),
  ],
);
