import { foreignKey, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { projects } from '../../core/projects/table.ts';
import type { ViewSearch } from './contract.ts';

const time = (name: string) => integer(name, { mode: 'timestamp_ms' });

/** Views of the events page that a project's people share: a name, and what the address says. */
export const savedViews = sqliteTable(
  'saved_views',
  {
    id: text('id').primaryKey(),
    organizationId: text('organization_id').notNull(),
    projectId: text('project_id').notNull(),
    name: text('name').notNull(),
    search: text('search', { mode: 'json' }).$type<ViewSearch>().notNull(),
    /** A person's id. They may be a member no more. */
    createdBy: text('created_by').notNull(),
    createdAt: time('created_at').notNull(),
    updatedAt: time('updated_at').notNull(),
  },
  (table) => [
    foreignKey({
      columns: [table.projectId, table.organizationId],
      foreignColumns: [projects.id, projects.organizationId],
    }),
    uniqueIndex('saved_views_name').on(table.projectId, table.name),
  ],
);
