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
import { projects } from '../projects/table.ts';
import { SCORE_DIRECTIONS, SCORE_SOURCES, SCORE_TYPES } from './values/contract.ts';

const time = (name: string) => integer(name, { mode: 'timestamp_ms' });

/** What the scores of a name may be. */
export const scoreDefinitions = sqliteTable(
  'score_definitions',
  {
    id: text('id').primaryKey(),
    organizationId: text('organization_id').notNull(),
    projectId: text('project_id').notNull(),
    name: text('name').notNull(),
    type: text('type', { enum: SCORE_TYPES }).notNull(),
    description: text('description').notNull(),
    min: real('min'),
    max: real('max'),
    /** Values of a category; null if any text is allowed. */
    categories: text('categories', { mode: 'json' }).$type<readonly string[]>(),
    direction: text('direction', { enum: SCORE_DIRECTIONS }).notNull(),
    createdAt: time('created_at').notNull(),
    updatedAt: time('updated_at').notNull(),
  },
  (table) => [
    foreignKey({
      columns: [table.projectId, table.organizationId],
      foreignColumns: [projects.id, projects.organizationId],
    }),
    uniqueIndex('score_definitions_name').on(table.projectId, table.name),
  ],
);

/**
 * Scores of traces, spans, sessions and items of experiments. What a score is not about is ''. The columns from `model` on
 * repeat what the events say of its target, so that figures need no look at them.
 */
export const scores = sqliteTable(
  'scores',
  {
    project: integer('project')
      .notNull()
      .references(() => projects.no),
    id: text('id').notNull(),
    name: text('name').notNull(),
    /** As its definition has it. */
    type: text('type', { enum: SCORE_TYPES }).notNull(),
    /** A number, or 1 and 0 of a boolean; null of a category. */
    value: real('value'),
    category: text('category'),
    traceId: text('trace_id').notNull().default(''),
    spanId: text('span_id').notNull().default(''),
    targetSession: text('target_session').notNull().default(''),
    itemId: text('item_id').notNull().default(''),
    source: text('source', { enum: SCORE_SOURCES }).notNull(),
    comment: text('comment'),
    evaluatorId: text('evaluator_id'),
    evaluatorVersion: integer('evaluator_version'),
    /** Event of the judge's call, whose cost is in the books. */
    judgeEventId: text('judge_event_id'),
    /** A person's id. They may be a member no more. */
    createdBy: text('created_by'),
    createdAt: time('created_at').notNull(),
    updatedAt: time('updated_at').notNull(),
    /** When its target began; before that is known, when it was given. Figures count it here. */
    at: time('at').notNull(),
    /** When to look for the target's events, again or for the first time; null if that is over. */
    nextLook: time('next_look'),
    /** End user of the target: the score goes when they are erased. '' without one. */
    aboutUser: text('about_user').notNull().default(''),
    model: text('model'),
    provider: text('provider'),
    environment: text('environment'),
    release: text('release'),
    agent: text('agent'),
    agentVersion: text('agent_version'),
    tool: text('tool'),
    promptName: text('prompt_name'),
    promptVersion: text('prompt_version'),
    userId: text('user_id'),
    sessionId: text('session_id'),
    keyId: text('key_id'),
    status: text('status'),
    errorCode: text('error_code'),
    finishReason: text('finish_reason'),
    kind: text('kind'),
    operation: text('operation'),
    tags: text('tags', { mode: 'json' }).$type<Readonly<Record<string, unknown>>>(),
  },
  (table) => [
    primaryKey({ columns: [table.project, table.id] }),
    index('scores_name').on(table.project, table.name, table.at),
    index('scores_time').on(table.project, table.createdAt, table.id),
    index('scores_trace').on(table.project, table.traceId),
    index('scores_session').on(table.project, table.targetSession),
    index('scores_item').on(table.project, table.itemId),
    index('scores_next_look').on(table.nextLook),
  ],
);
