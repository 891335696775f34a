import { foreignKey, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { projects } from '../projects/table.ts';
import { EVALUATOR_KINDS, type JudgeOutput } from './config/contract.ts';

const time = (name: string) => integer(name, { mode: 'timestamp_ms' });

/** What judges outputs. */
export const evaluators = sqliteTable(
  'evaluators',
  {
    id: text('id').primaryKey(),
    organizationId: text('organization_id').notNull(),
    projectId: text('project_id').notNull(),
    name: text('name').notNull(),
    description: text('description').notNull(),
    /** The newest version. */
    version: integer('version').notNull(),
    createdBy: text('created_by').notNull(),
    createdAt: time('created_at').notNull(),
    updatedAt: time('updated_at').notNull(),
  },
  (table) => [
    foreignKey({
      columns: [table.projectId, table.organizationId],
      foreignColumns: [projects.id, projects.organizationId],
    }),
    uniqueIndex('evaluators_name').on(table.projectId, table.name),
  ],
);

/** How an evaluator judged at a time. Versions never change: scores name theirs. */
export const evaluatorVersions = sqliteTable(
  'evaluator_versions',
  {
    evaluatorId: text('evaluator_id').notNull(),
    version: integer('version').notNull(),
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id),
    kind: text('kind', { enum: EVALUATOR_KINDS }).notNull(),
    config: text('config', { mode: 'json' }).$type<object>().notNull(),
    /** What a judge or webhook answers; null for other kinds. */
    output: text('output', { mode: 'json' }).$type<JudgeOutput>(),
    /** Name of the scores that it gives. */
    scoreName: text('score_name').notNull(),
    createdBy: text('created_by').notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.evaluatorId, table.version] })],
);
