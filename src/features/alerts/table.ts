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
import { projects } from '../../core/projects/table.ts';
import { ALERT_STATES, type AlertInput, REASONS } from './contract.ts';

/** How much of a cost is known; null for other measures. */
const pricedColumns = () => ({ unpriced: integer('unpriced'), calls: integer('calls') });

const time = (name: string) => integer(name, { mode: 'timestamp_ms' });

/** What is judged, and how often it is told again. */
export type Rule = Omit<AlertInput, 'name' | 'enabled' | 'channelIds' | 'opensIncident'>;

/** Number of groups by state; `total` are judged, `left` are not; `unpriced` have calls without a price. */
export type GroupCounts = {
  readonly critical: number;
  readonly warning: number;
  readonly pending: number;
  readonly noData: number;
  readonly total: number;
  readonly left: number;
  /** Missing where an older version wrote them. */
  readonly unpriced?: number;
};

/** Minutes between the values of a trend. */
export const TREND_STEP = 15;

/** Values of an alert in steps, the newest last: null where it had none. `at` is the minute of the newest, since 1970. */
export type Trend = { readonly at: number; readonly values: readonly (number | null)[] };

/** The newest value of an alert, the group that has it, and how much of a cost is known. */
export type Figure = readonly [
  value: number | null,
  worstGroup: string | null,
  unpriced?: number | null,
  calls?: number | null,
];

/** Alerts of projects, with the outcome of their last evaluation. */
export const alerts = sqliteTable(
  'alerts',
  {
    id: text('id').primaryKey(),
    organizationId: text('organization_id').notNull(),
    projectId: text('project_id').notNull(),
    name: text('name').notNull(),
    enabled: integer('enabled', { mode: 'boolean' }).notNull(),
    rule: text('rule', { mode: 'json' }).$type<Rule>().notNull(),
    channelIds: text('channel_ids', { mode: 'json' }).$type<readonly string[]>().notNull(),
    opensIncident: integer('opens_incident', { mode: 'boolean' }).notNull(),
    /** Rises with each change, so that an evaluation of the former rule is not recorded. */
    version: integer('version').notNull(),
    state: text('state', { enum: ALERT_STATES }).notNull(),
    groups: text('groups', { mode: 'json' }).$type<GroupCounts>().notNull(),
    /** The value in the last hours; null before the first evaluation. */
    trend: text('trend', { mode: 'json' }).$type<Trend>(),
    /** The evaluation that wrote the columns above last. `alert_progress` has the newest one. */
    evaluatedAt: time('evaluated_at'),
    error: text('error'),
    errorSince: time('error_since'),
    /** Whether people were told of the error. */
    errorTold: integer('error_told', { mode: 'boolean' }).notNull().default(false),
    createdBy: text('created_by'),
    createdAt: time('created_at').notNull(),
    updatedAt: time('updated_at').notNull(),
  },
  (table) => [
    foreignKey({
      columns: [table.projectId, table.organizationId],
      foreignColumns: [projects.id, projects.organizationId],
    }),
    uniqueIndex('alerts_name').on(table.projectId, table.name),
  ],
);

/** A state that a group took on: since the window that ended at `at`, in minutes since 1970. */
export type Step = { readonly at: number; readonly state: (typeof ALERT_STATES)[number] };

/** Groups that are not simply ok. `groupKey` is '' for an alert without groups. */
export const alertGroups = sqliteTable(
  'alert_groups',
  {
    alertId: text('alert_id')
      .notNull()
      .references(() => alerts.id, { onDelete: 'cascade' }),
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id),
    groupKey: text('group_key').notNull(),
    /** The end user, if the groups are users. */
    userId: text('user_id'),
    state: text('state', { enum: ALERT_STATES }).notNull(),
    since: time('since').notNull(),
    value: real('value'),
    threshold: real('threshold'),
    baseline: real('baseline'),
    ...pricedColumns(),
    reason: text('reason', { enum: REASONS }),
    /** The state that people were told of last, and when. */
    told: text('told', { enum: ALERT_STATES }).notNull(),
    toldAt: time('told_at'),
    /** The newest states, oldest first, so that late events can change them. */
    trail: text('trail', { mode: 'json' }).$type<readonly Step[]>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.alertId, table.groupKey] }),
    index('alert_groups_project').on(table.projectId),
  ],
);

export const NOTIFIED = ['sent', 'silenced', 'incident', 'none'] as const;

/** Every change of state. */
export const alertHistory = sqliteTable(
  'alert_history',
  {
    id: text('id').primaryKey(),
    alertId: text('alert_id')
      .notNull()
      .references(() => alerts.id, { onDelete: 'cascade' }),
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id),
    groupKey: text('group_key').notNull(),
    userId: text('user_id'),
    at: time('at').notNull(),
    recordedAt: time('recorded_at').notNull(),
    from: text('from_state', { enum: ALERT_STATES }).notNull(),
    to: text('to_state', { enum: ALERT_STATES }).notNull(),
    value: real('value'),
    threshold: real('threshold'),
    baseline: real('baseline'),
    ...pricedColumns(),
    reason: text('reason', { enum: REASONS }),
    notified: text('notified', { enum: NOTIFIED }).notNull(),
    /** When late events showed that it did not hold. */
    supersededAt: time('superseded_at'),
  },
  (table) => [
    index('alert_history_alert').on(table.alertId, table.at, table.id),
    index('alert_history_project').on(table.projectId, table.at),
  ],
);

/** Times in which notifications are held back. */
export const silences = sqliteTable(
  'silences',
  {
    id: text('id').primaryKey(),
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id),
    alertId: text('alert_id').references(() => alerts.id, { onDelete: 'cascade' }),
    groupKey: text('group_key'),
    until: time('until').notNull(),
    reason: text('reason').notNull(),
    createdBy: text('created_by'),
    createdAt: time('created_at').notNull(),
  },
  (table) => [index('silences_project').on(table.projectId, table.until)],
);

/** Up to which minute a project's alerts were judged. */
export const alertProgress = sqliteTable('alert_progress', {
  projectId: text('project_id')
    .primaryKey()
    .references(() => projects.id),
  judgedTo: time('judged_to').notNull(),
  /** Fingerprints of the newest minutes, so that late events are noticed after a restart too. */
  marks: text('marks', { mode: 'json' })
    .$type<readonly (readonly [number, number])[]>()
    .notNull()
    .default([]),
});

/**
 * The newest figures of all alerts of a project, by id. They change each minute, so they are one row of their own: the rows
 * of alerts are written only when a state changes.
 */
export const alertFigures = sqliteTable('alert_figures', {
  projectId: text('project_id')
    .primaryKey()
    .references(() => projects.id),
  figures: text('figures', { mode: 'json' }).$type<Readonly<Record<string, Figure>>>().notNull(),
});

/** Models without a price that people were told of. */
export const unpricedNotices = sqliteTable(
  'unpriced_notices',
  {
    organizationId: text('organization_id').notNull(),
    model: text('model').notNull(),
    toldAt: time('told_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.organizationId, table.model] })],
);
