import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Runs of jobs. A row that is still `running` after a crash is closed at the next start. */
export const jobRuns = sqliteTable(
  'job_runs',
  {
    id: text('id').primaryKey(),
    job: text('job').notNull(),
    trigger: text('trigger', { enum: ['schedule', 'manual'] }).notNull(),
    startedAt: integer('started_at', { mode: 'timestamp_ms' }).notNull(),
    finishedAt: integer('finished_at', { mode: 'timestamp_ms' }),
    status: text('status', { enum: ['running', 'ok', 'failed', 'interrupted'] }).notNull(),
    /** The job's summary as JSON, or the error. */
    result: text('result', { mode: 'json' }),
  },
  (table) => [index('job_runs_job').on(table.job, table.startedAt)],
);
