import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { organizations } from '../../core/orgs/table.ts';
import { projects } from '../../core/projects/table.ts';
import { MAIL_STATUSES, REPORT_PERIODS, type ReportDimension, RUN_TRIGGERS } from './contract.ts';
import type { ReportFigures } from './figures/contract.ts';

const time = (name: string) => integer(name, { mode: 'timestamp_ms' });
const organizationId = text('organization_id')
  .notNull()
  .references(() => organizations.id);
const projectId = text('project_id').references(() => projects.id);

/** Costs that are sent regularly: see `ReportInput`. */
export const scheduledReports = sqliteTable(
  'scheduled_reports',
  {
    id: text('id').primaryKey(),
    organizationId,
    /** Null: all projects of the organization. */
    projectId,
    name: text('name').notNull(),
    period: text('period', { enum: REPORT_PERIODS }).notNull(),
    day: integer('day').notNull(),
    hour: integer('hour').notNull(),
    timeZone: text('time_zone').notNull(),
    environment: text('environment'),
    groupBy: text('group_by', { mode: 'json' }).$type<readonly ReportDimension[]>().notNull(),
    /** People who get it by mail. They may be members no more. */
    memberIds: text('member_ids', { mode: 'json' }).$type<readonly string[]>().notNull(),
    channelIds: text('channel_ids', { mode: 'json' }).$type<readonly string[]>().notNull(),
    paused: integer('paused', { mode: 'boolean' }).notNull(),
    /** When it is due next; a paused one is not sent then. */
    nextAt: time('next_at').notNull(),
    /** A person's id. They may be a member no more. */
    createdBy: text('created_by'),
    createdAt: time('created_at').notNull(),
    updatedAt: time('updated_at').notNull(),
  },
  (table) => [
    uniqueIndex('scheduled_reports_name').on(table.organizationId, table.name),
    index('scheduled_reports_due').on(table.nextAt).where(sql`paused = 0`),
  ],
);

/** People who do not want a report's mails any more, whoever names them as recipients. */
export const reportUnsubscribes = sqliteTable(
  'scheduled_report_unsubscribes',
  {
    organizationId,
    reportId: text('report_id')
      .notNull()
      .references(() => scheduledReports.id, { onDelete: 'cascade' }),
    userId: text('user_id').notNull(),
    at: time('at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.reportId, table.userId] }),
    index('scheduled_report_unsubscribes_organization').on(table.organizationId),
  ],
);

/** Reports that were made. Their mails and notifications commit with them. */
export const reportRuns = sqliteTable(
  'scheduled_report_runs',
  {
    id: text('id').primaryKey(),
    organizationId,
    projectId,
    reportId: text('report_id')
      .notNull()
      .references(() => scheduledReports.id, { onDelete: 'cascade' }),
    trigger: text('trigger', { enum: RUN_TRIGGERS }).notNull(),
    periodStart: time('period_start').notNull(),
    /** Exclusive. */
    periodEnd: time('period_end').notNull(),
    figures: text('figures', { mode: 'json' }).$type<ReportFigures>().notNull(),
    at: time('at').notNull(),
  },
  (table) => [
    // The schedule reports each period once, whatever happens to the process or the schedule.
    uniqueIndex('scheduled_report_runs_once')
      .on(table.reportId, table.periodStart, table.periodEnd)
      .where(sql`"trigger" = 'schedule'`),
    index('scheduled_report_runs_newest').on(table.reportId, table.id),
    index('scheduled_report_runs_organization').on(table.organizationId),
  ],
);

/** A run's mail to one person. */
export const reportMails = sqliteTable(
  'scheduled_report_mails',
  {
    organizationId,
    runId: text('run_id')
      .notNull()
      .references(() => reportRuns.id, { onDelete: 'cascade' }),
    userId: text('user_id').notNull(),
    status: text('status', { enum: MAIL_STATUSES }).notNull(),
    /** Why it was not sent, or why the last attempt failed. */
    error: text('error'),
    finishedAt: time('finished_at'),
  },
  (table) => [
    primaryKey({ columns: [table.runId, table.userId] }),
    index('scheduled_report_mails_organization').on(table.organizationId),
  ],
);
