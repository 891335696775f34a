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
 * Re-pricings: what is to be priced anew, what it would change and how far it is. What each event cost
 * before is kept by the event store, so that it can be undone.
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
    /** Which prices the dry run used: others are never applied in its name. */
    pricesVersion: text('prices_version'),
    /** Of the dry run: events looked at and those that change, nano-dollars of these before and after. */
    looked: integer('looked').notNull().default(0),
    changes: integer('changes').notNull().default(0),
    beforeNano: integer('before_nano').notNull().default(0),
    afterNano: integer('after_nano').notNull().default(0),
    groups: text('groups', { mode: 'json' }).$type<RepricingGroup[]>().notNull().default([]),
    /** How far the application is: the last event looked at, events changed, nano-dollars added. */
    cursor: text('cursor'),
    applied: integer('applied').notNull().default(0),
    appliedNano: integer('applied_nano').notNull().default(0),
    /** Events that were gone when they were to get their old cost back. */
    gone: integer('gone').notNull().default(0),
    error: text('error'),
    /** Who asked for what. */
    steps: text('steps', { mode: 'json' }).$type<RepricingStep[]>().notNull().default([]),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
    updatedAt: integer('updated_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [index('repricings_project').on(table.project, table.createdAt)],
);
