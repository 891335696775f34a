import { foreignKey, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { projects } from '../projects/table.ts';
import { DEPLOYMENT_SOURCES } from './contract.ts';

const time = (name: string) => integer(name, { mode: 'timestamp_ms' });

/** Releases of a project's application, each once in an environment. */
export const deployments = sqliteTable(
  'deployments',
  {
    id: text('id').primaryKey(),
    organizationId: text('organization_id').notNull(),
    projectId: text('project_id').notNull(),
    environment: text('environment').notNull(),
    release: text('release').notNull(),
    /** When it was deployed: as reported, else `firstEventAt`. */
    at: time('at').notNull(),
    source: text('source', { enum: DEPLOYMENT_SOURCES }).notNull(),
    /** Time of the earliest event of the release; null before there is one. */
    firstEventAt: time('first_event_at'),
    /** Time of the latest event, less than a day behind; null before there is one. */
    lastEventAt: time('last_event_at'),
    commit: text('commit_sha'),
    url: text('url'),
    title: text('title'),
    createdAt: time('created_at').notNull(),
    /** Set when it was deleted. The row stays, so that the next event does not bring the deployment back. */
    deletedAt: time('deleted_at'),
  },
  (table) => [
    foreignKey({
      columns: [table.projectId, table.organizationId],
      foreignColumns: [projects.id, projects.organizationId],
    }),
    uniqueIndex('deployments_release').on(table.projectId, table.environment, table.release),
    index('deployments_time').on(table.projectId, table.at, table.id),
  ],
);

/** The newest release of a project that was not kept, because there were too many. */
export const skippedReleases = sqliteTable('skipped_releases', {
  projectId: text('project_id')
    .primaryKey()
    .references(() => projects.id),
  environment: text('environment').notNull(),
  release: text('release').notNull(),
  at: time('at').notNull(),
});
