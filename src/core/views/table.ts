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
import type { ViewPage, ViewSearch } from './contract.ts';

const time = (name: string) => integer(name, { mode: 'timestamp_ms' });

/** Views of pages: a name, and what the address says. */
export const savedViews = sqliteTable(
  'saved_views',
  {
    id: text('id').primaryKey(),
    organizationId: text('organization_id').notNull(),
    projectId: text('project_id').notNull(),
    page: text('page').$type<ViewPage>().notNull().default('events'),
    /** Who alone sees it; empty for one that the project shares. */
    owner: text('owner').notNull().default(''),
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
    uniqueIndex('saved_views_page_name').on(table.projectId, table.page, table.owner, table.name),
  ],
);

/** With which view a page opens for a person. */
export const defaultViews = sqliteTable(
  'default_views',
  {
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id),
    userId: text('user_id').notNull(),
    page: text('page').$type<ViewPage>().notNull(),
    viewId: text('view_id')
      .notNull()
      .references(() => savedViews.id, { onDelete: 'cascade' }),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.userId, table.page] }),
    index('default_views_view').on(table.viewId),
  ],
);
