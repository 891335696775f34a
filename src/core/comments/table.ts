import { foreignKey, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { projects } from '../projects/table.ts';

const time = (name: string) => integer(name, { mode: 'timestamp_ms' });

/** What a comment or bookmark is about: a trace, a span of it, or a session. What it is not about is ''. */
const about = () => ({
  organizationId: text('organization_id').notNull(),
  projectId: text('project_id').notNull(),
  traceId: text('trace_id').notNull().default(''),
  spanId: text('span_id').notNull().default(''),
  sessionId: text('session_id').notNull().default(''),
  /** End user of the trace or session: it goes when they are erased. '' without one. */
  aboutUser: text('about_user').notNull().default(''),
  /** End of the trace or session: it goes when retention has deleted that. */
  endsAt: time('ends_at').notNull(),
  /** A person's id. They may be a member no more. */
  createdBy: text('created_by').notNull(),
  createdAt: time('created_at').notNull(),
});

/** What people write about traces, spans and sessions. */
export const comments = sqliteTable(
  'comments',
  {
    id: text('id').primaryKey(),
    ...about(),
    text: text('text').notNull(),
    updatedAt: time('updated_at').notNull(),
  },
  (table) => [
    foreignKey({
      columns: [table.projectId, table.organizationId],
      foreignColumns: [projects.id, projects.organizationId],
    }),
    index('comments_about').on(table.projectId, table.traceId, table.sessionId),
  ],
);

/** Traces, spans and sessions that a project's people keep at hand. */
export const bookmarks = sqliteTable(
  'bookmarks',
  {
    id: text('id').primaryKey(),
    ...about(),
    /** Name of the trace when it was bookmarked; '' for a session. */
    name: text('name').notNull(),
  },
  (table) => [
    foreignKey({
      columns: [table.projectId, table.organizationId],
      foreignColumns: [projects.id, projects.organizationId],
    }),
    uniqueIndex('bookmarks_about').on(table.projectId, table.traceId, table.spanId, table.sessionId),
  ],
);
