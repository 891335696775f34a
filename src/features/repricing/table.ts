import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { organizations } from '../../core/orgs/table.ts';
import { projects } from '../../core/projects/table.ts';
import {
  REPRICING_STATES,
  type RepricingGroup,
  type RepricingRequest,
  type RepricingStep,
} from './contract.ts';

/**
 * Re-pricings: the selected calls, the dry run's result and the progress. The event store keeps the previous cost of
 * each event, so that a re-pricing can be undone.
 */
export const repricings = sqliteTable(
  'repricings',
  {
    id: text('id').primaryKey(),
    organizationId: text('organization_id')
      .notNull()
      .references(() => organizations.id),
    project: integer('project')
      .notNull()
      .references(() => projects.no),
    state: text('state', { enum: REPRICING_STATES }).notNull(),
    request: text('request', { mode: 'json' }).$type<RepricingRequest>().notNull(),
    /** Version of the prices that the dry run used; no other version is ever applied. */
    pricesVersion: text('prices_version'),
    /**
     * Result of the dry run: events examined, events that change, and their cost before and after in nano-dollars.
     */
    looked: integer('looked').notNull().default(0),
    changes: integer('changes').notNull().default(0),
    beforeNano: integer('before_nano').notNull().default(0),
    afterNano: integer('after_nano').notNull().default(0),
    groups: text('groups', { mode: 'json' }).$type<RepricingGroup[]>().notNull().default([]),
    /** Events that the dry run could not examine, because they are damaged. */
    unreadable: integer('unreadable').notNull().default(0),
    /** Progress of the application: the last event examined, events changed, nano-dollars added. */
    cursor: text('cursor'),
    applied: integer('applied').notNull().default(0),
    appliedNano: integer('applied_nano').notNull().default(0),
    /** Events that no longer existed when their previous cost was to be restored. */
    gone: integer('gone').notNull().default(0),
    error: text('error'),
    /** Who requested each step. */
    steps: text('steps', { mode: 'json' }).$type<RepricingStep[]>().notNull().default([]),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
    updatedAt: integer('updated_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [index('repricings_project').on(table.project, table.createdAt)],
);
