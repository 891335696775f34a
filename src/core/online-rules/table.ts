import {
  foreignKey,
  index,
  integer,
  primaryKey,
  real,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core';
import { projects } from '../projects/table.ts';
import { ITEM_STATES } from './contract.ts';

const time = (name: string) => integer(name, { mode: 'timestamp_ms' });

/** Rules that judge new traces. */
export const onlineRules = sqliteTable(
  'online_rules',
  {
    id: text('id').primaryKey(),
    organizationId: text('organization_id').notNull(),
    projectId: text('project_id').notNull(),
    name: text('name').notNull(),
    evaluatorId: text('evaluator_id').notNull(),
    filter: text('filter').notNull(),
    sampleRate: real('sample_rate').notNull(),
    delaySeconds: integer('delay_seconds').notNull(),
    /** In nano-dollars; null without a cap. */
    capNano: integer('cap_nano'),
    judgesUnstored: integer('judges_unstored', { mode: 'boolean' }).notNull(),
    enabled: integer('enabled', { mode: 'boolean' }).notNull(),
    /** While it is capped or held: until when, and why. */
    heldUntil: time('held_until'),
    heldReason: text('held_reason'),
    isCapped: integer('is_capped', { mode: 'boolean' }).notNull().default(false),
    /** The last back-fill: its window, where it goes on (null if it is done), and how many traces it added. */
    backfillFrom: time('backfill_from'),
    backfillTo: time('backfill_to'),
    backfillCursor: text('backfill_cursor'),
    backfillAgain: integer('backfill_again', { mode: 'boolean' }).notNull().default(false),
    backfillAdded: integer('backfill_added').notNull().default(0),
    createdBy: text('created_by').notNull(),
    createdAt: time('created_at').notNull(),
    updatedAt: time('updated_at').notNull(),
  },
  (table) => [
    foreignKey({
      columns: [table.projectId, table.organizationId],
      foreignColumns: [projects.id, projects.organizationId],
    }),
    uniqueIndex('online_rules_name').on(table.projectId, table.name),
  ],
);

/** A sampled trace of a rule. It stays after it was judged, so that it is judged once. */
export const onlineRuleItems = sqliteTable(
  'online_rule_items',
  {
    ruleId: text('rule_id').notNull(),
    traceId: text('trace_id').notNull(),
    /** The number of the project. */
    project: integer('project')
      .notNull()
      .references(() => projects.no),
    state: text('state', { enum: ITEM_STATES }).notNull(),
    dueAt: time('due_at').notNull(),
    createdAt: time('created_at').notNull(),
    /** How often the judge failed. */
    tries: integer('tries').notNull().default(0),
    /** Why there is no score. */
    reason: text('reason'),
    /** Version of the evaluator that judged. */
    version: integer('version'),
    judgedAt: time('judged_at'),
    costNano: integer('cost_nano'),
  },
  (table) => [
    primaryKey({ columns: [table.ruleId, table.traceId] }),
    index('online_rule_items_due').on(table.ruleId, table.state, table.dueAt),
  ],
);

/** What a rule did in a UTC month, such as 2026-01. */
export const onlineRuleMonths = sqliteTable(
  'online_rule_months',
  {
    ruleId: text('rule_id').notNull(),
    month: text('month').notNull(),
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id),
    scored: integer('scored').notNull().default(0),
    skipped: integer('skipped').notNull().default(0),
    failed: integer('failed').notNull().default(0),
    dropped: integer('dropped').notNull().default(0),
    spentNano: integer('spent_nano').notNull().default(0),
    /** Judgements with a call without a known price; what is spent does not include it. */
    unpriced: integer('unpriced').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.ruleId, table.month] })],
);
