import { foreignKey, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { projects } from '../../core/projects/table.ts';
import type { IncidentAlert, TimelineEntry } from './state.ts';

const time = (name: string) => integer(name, { mode: 'timestamp_ms' });

/** Incidents of projects, each with its alerts and its timeline. */
export const incidents = sqliteTable(
  'incidents',
  {
    id: text('id').primaryKey(),
    organizationId: text('organization_id').notNull(),
    projectId: text('project_id').notNull(),
    /** From 1, without gaps, in the project. */
    number: integer('number').notNull(),
    title: text('title').notNull(),
    severity: text('severity', { enum: ['warning', 'critical'] }).notNull(),
    status: text('status', { enum: ['open', 'acknowledged', 'resolved'] }).notNull(),
    /** The measure of the first alert; null for one that people opened without a measure. */
    measure: text('measure'),
    dimensions: text('dimensions', { mode: 'json' }).$type<Readonly<Record<string, string>>>().notNull(),
    alerts: text('alerts', { mode: 'json' }).$type<readonly IncidentAlert[]>().notNull(),
    timeline: text('timeline', { mode: 'json' }).$type<readonly TimelineEntry[]>().notNull(),
    channelIds: text('channel_ids', { mode: 'json' }).$type<readonly string[]>().notNull(),
    notes: text('notes').notNull(),
    assigneeId: text('assignee_id'),
    /** The incident that took this one over. */
    mergedInto: text('merged_into'),
    startedAt: time('started_at').notNull(),
    acknowledgedAt: time('acknowledged_at'),
    resolvedAt: time('resolved_at'),
    /** Since when all its alerts are healthy; null while one fires, and without alerts. */
    healthySince: time('healthy_since'),
    createdAt: time('created_at').notNull(),
    updatedAt: time('updated_at').notNull(),
  },
  (table) => [
    foreignKey({
      columns: [table.projectId, table.organizationId],
      foreignColumns: [projects.id, projects.organizationId],
    }),
    uniqueIndex('incidents_number').on(table.projectId, table.number),
    index('incidents_started').on(table.projectId, table.startedAt),
    index('incidents_updated').on(table.projectId, table.updatedAt),
    index('incidents_healthy').on(table.healthySince),
  ],
);

/** What a project has chosen for its incidents, and the number of the last one. */
export const incidentSettings = sqliteTable('incident_settings', {
  projectId: text('project_id')
    .primaryKey()
    .references(() => projects.id),
  lastNumber: integer('last_number').notNull(),
  /** Minutes after which an incident whose alerts are healthy resolves itself; null: never. */
  autoResolveMinutes: integer('auto_resolve_minutes'),
});
