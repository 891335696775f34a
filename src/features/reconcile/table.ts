import { foreignKey, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { projects } from '../../core/projects/table.ts';
import { LAYOUTS, type Reconciliation } from './contract.ts';

const time = (name: string) => integer(name, { mode: 'timestamp_ms' });

/** Comparisons of a project that somebody kept. The export itself is not stored. */
export const reconciliations = sqliteTable(
  'reconciliations',
  {
    id: text('id').primaryKey(),
    organizationId: text('organization_id').notNull(),
    projectId: text('project_id').notNull(),
    /** `YYYY-MM` of the first day. */
    month: text('month').notNull(),
    name: text('name').notNull(),
    note: text('note').notNull(),
    layout: text('layout', { enum: LAYOUTS }).notNull(),
    fromDay: text('from_day').notNull(),
    toDay: text('to_day').notNull(),
    /** Nano-dollars; null if unknown. */
    invoiceNano: integer('invoice_nano'),
    booksNano: integer('books_nano'),
    driftNano: integer('drift_nano'),
    lines: integer('lines').notNull(),
    differing: integer('differing').notNull(),
    /** With its largest lines. */
    result: text('result', { mode: 'json' }).$type<Reconciliation>().notNull(),
    createdAt: time('created_at').notNull(),
    updatedAt: time('updated_at').notNull(),
  },
  (table) => [
    foreignKey({
      columns: [table.projectId, table.organizationId],
      foreignColumns: [projects.id, projects.organizationId],
    }),
    index('reconciliations_month').on(table.projectId, table.month),
  ],
);
