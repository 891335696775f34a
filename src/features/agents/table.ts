import { foreignKey, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { projects } from '../../core/projects/table.ts';
import type { EntryKind } from './contract.ts';

/** What people say about the agents and tools that events name. */
export const registryEntries = sqliteTable(
  'registry_entries',
  {
    /** Derived from project, kind and name, so that two people who write at once write one row. */
    id: text('id').primaryKey(),
    organizationId: text('organization_id').notNull(),
    projectId: text('project_id').notNull(),
    kind: text('kind').$type<EntryKind>().notNull(),
    name: text('name').notNull(),
    owner: text('owner').notNull().default(''),
    description: text('description').notNull().default(''),
    url: text('url').notNull().default(''),
    hidden: integer('hidden', { mode: 'boolean' }).notNull().default(false),
    /** The name that counts in place of this one; empty if it counts itself. */
    mergedInto: text('merged_into').notNull().default(''),
    /** A person's id. They may be a member no more. */
    updatedBy: text('updated_by').notNull(),
    updatedAt: integer('updated_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [
    foreignKey({
      columns: [table.projectId, table.organizationId],
      foreignColumns: [projects.id, projects.organizationId],
    }),
    uniqueIndex('registry_entries_name').on(table.projectId, table.kind, table.name),
  ],
);
