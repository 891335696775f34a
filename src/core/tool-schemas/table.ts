import { foreignKey, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { projects } from '../projects/table.ts';

/** The schemas of tools that calls of models were offered: structure only. */
export const toolSchemas = sqliteTable(
  'tool_schemas',
  {
    /** Derived from project, tool and fingerprint. */
    id: text('id').primaryKey(),
    organizationId: text('organization_id').notNull(),
    projectId: text('project_id').notNull(),
    tool: text('tool').notNull(),
    fingerprint: text('fingerprint').notNull(),
    /** JSON of an array of `[path, type, 0 or 1 for required]`. */
    properties: text('properties').notNull(),
    firstSeen: integer('first_seen').notNull(),
    lastSeen: integer('last_seen').notNull(),
  },
  (table) => [
    foreignKey({
      columns: [table.projectId, table.organizationId],
      foreignColumns: [projects.id, projects.organizationId],
    }),
    index('tool_schemas_tool').on(table.projectId, table.tool),
  ],
);
