import { foreignKey, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { projects } from '../../core/projects/table.ts';
import type { Computed } from './recommendations/to-recommendation.ts';

/** Recommendations that somebody dismissed or applied, as they were then. */
export const recommendationDecisions = sqliteTable(
  'recommendation_decisions',
  {
    organizationId: text('organization_id').notNull(),
    projectId: text('project_id').notNull(),
    recommendationId: text('recommendation_id').notNull(),
    state: text('state').$type<'dismissed' | 'applied'>().notNull(),
    kind: text('kind').notNull(),
    appliedAs: text('applied_as').$type<'change' | 'alert' | 'budget'>(),
    reason: text('reason'),
    recommendation: text('recommendation', { mode: 'json' }).$type<Computed>().notNull(),
    decidedBy: text('decided_by').notNull(),
    decidedAt: integer('decided_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.recommendationId] }),
    foreignKey({
      columns: [table.projectId, table.organizationId],
      foreignColumns: [projects.id, projects.organizationId],
    }),
  ],
);
