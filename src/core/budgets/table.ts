import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { organizations } from '../orgs/table.ts';
import { projects } from '../projects/table.ts';
import { BUDGET_KINDS, BUDGET_PERIODS } from './contract.ts';

/** Budgets of organizations: see `BudgetInput`. */
export const budgets = sqliteTable(
  'budgets',
  {
    id: text('id').primaryKey(),
    organizationId: text('organization_id')
      .notNull()
      .references(() => organizations.id),
    name: text('name').notNull(),
    kind: text('kind', { enum: BUDGET_KINDS }).notNull(),
    projectId: text('project_id').references(() => projects.id),
    keyId: text('key_id'),
    userId: text('user_id'),
    tag: text('tag'),
    /** The value of the tag, or the name of the agent or tool. */
    value: text('value'),
    period: text('period', { enum: BUDGET_PERIODS }).notNull(),
    limitNano: integer('limit_nano').notNull(),
    levels: text('levels', { mode: 'json' }).$type<number[]>().notNull(),
    createdAt: integer('created_at', { mode: 'timestamp_ms' }).notNull(),
    updatedAt: integer('updated_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [index('budgets_organization').on(table.organizationId)],
);

/** Levels that were crossed, each once in a period for each limit. */
export const budgetEvents = sqliteTable(
  'budget_events',
  {
    id: text('id').primaryKey(),
    organizationId: text('organization_id')
      .notNull()
      .references(() => organizations.id),
    budgetId: text('budget_id')
      .notNull()
      .references(() => budgets.id, { onDelete: 'cascade' }),
    periodStart: integer('period_start', { mode: 'timestamp_ms' }).notNull(),
    level: integer('level').notNull(),
    limitNano: integer('limit_nano').notNull(),
    spentNano: integer('spent_nano').notNull(),
    unpriced: integer('unpriced').notNull(),
    crossedAt: integer('crossed_at', { mode: 'timestamp_ms' }).notNull(),
  },
  (table) => [
    uniqueIndex('budget_events_once').on(table.budgetId, table.periodStart, table.level, table.limitNano),
    index('budget_events_organization').on(table.organizationId, table.crossedAt),
  ],
);
