import {
  foreignKey,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core';
import { projects } from '../projects/table.ts';
import { MARK_STATES } from './contract.ts';

const time = (name: string) => integer(name, { mode: 'timestamp_ms' });
const project = () =>
  integer('project')
    .notNull()
    .references(() => projects.no);

/** What people are asked to score. */
export const annotationQueues = sqliteTable(
  'annotation_queues',
  {
    id: text('id').primaryKey(),
    organizationId: text('organization_id').notNull(),
    projectId: text('project_id').notNull(),
    name: text('name').notNull(),
    instructions: text('instructions').notNull(),
    /** Names of the scores that each annotation has. */
    scoreNames: text('score_names', { mode: 'json' }).$type<readonly string[]>().notNull(),
    /** Ids of the people who annotate; empty for every member. */
    assignees: text('assignees', { mode: 'json' }).$type<readonly string[]>().notNull(),
    /** How many people annotate each item. */
    annotators: integer('annotators').notNull(),
    /** Number of the last item that was ever added; numbers are not used again. */
    lastNo: integer('last_no').notNull().default(0),
    createdBy: text('created_by').notNull(),
    createdAt: time('created_at').notNull(),
    updatedAt: time('updated_at').notNull(),
  },
  (table) => [
    foreignKey({
      columns: [table.projectId, table.organizationId],
      foreignColumns: [projects.id, projects.organizationId],
    }),
    uniqueIndex('annotation_queues_name').on(table.projectId, table.name),
  ],
);

/** The traces and spans of a queue, in their order. */
export const annotationItems = sqliteTable(
  'annotation_items',
  {
    queueId: text('queue_id').notNull(),
    no: integer('no').notNull(),
    project: project(),
    traceId: text('trace_id').notNull(),
    /** '' for the whole trace. */
    spanId: text('span_id').notNull().default(''),
    /** End user of the trace: the item goes when they are erased. '' without one. */
    aboutUser: text('about_user').notNull().default(''),
    /** End of the trace: the item goes when retention has deleted it. */
    endsAt: time('ends_at').notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.queueId, table.no] }),
    uniqueIndex('annotation_items_target').on(table.queueId, table.traceId, table.spanId),
    index('annotation_items_user').on(table.project, table.aboutUser),
    index('annotation_items_ends').on(table.project, table.endsAt),
  ],
);

/** What a person did with an item: took it for a while, scored it, or left it out. The scores are in `core/scores`. */
export const annotationMarks = sqliteTable(
  'annotation_marks',
  {
    queueId: text('queue_id').notNull(),
    no: integer('no').notNull(),
    userId: text('user_id').notNull(),
    project: project(),
    state: text('state', { enum: MARK_STATES }).notNull(),
    /** Of `claimed`: until when nobody else gets the item in this one's place. */
    claimedUntil: time('claimed_until'),
    /** As in the item. */
    aboutUser: text('about_user').notNull().default(''),
    endsAt: time('ends_at').notNull(),
    updatedAt: time('updated_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.queueId, table.no, table.userId] }),
    index('annotation_marks_person').on(table.queueId, table.userId, table.state),
    index('annotation_marks_user').on(table.project, table.aboutUser),
  ],
);
