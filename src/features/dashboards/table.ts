import { foreignKey, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { projects } from '../../core/projects/table.ts';
import type { Tile } from './tiles/contract.ts';

const time = (name: string) => integer(name, { mode: 'timestamp_ms' });

/** Dashboards that people made of a project's figures. */
export const dashboards = sqliteTable(
  'dashboards',
  {
    id: text('id').primaryKey(),
    organizationId: text('organization_id').notNull(),
    projectId: text('project_id').notNull(),
    name: text('name').notNull(),
    /** The id of the only person who sees it; empty for a shared one. */
    privateTo: text('private_to').notNull(),
    tiles: text('tiles', { mode: 'json' }).$type<Tile[]>().notNull(),
    revision: integer('revision').notNull(),
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
    uniqueIndex('dashboards_name').on(table.projectId, table.privateTo, table.name),
  ],
);
