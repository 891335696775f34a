import {
  foreignKey,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core';
import { projects } from '../projects/table.ts';

const time = (name: string) => integer(name, { mode: 'timestamp_ms' });

/** In `busy`: the dataset is gone for everybody, and its items are being deleted in slices. */
export const DELETING = 'deleting';

/** Datasets of projects. Their content is in their items. */
export const datasets = sqliteTable(
  'datasets',
  {
    id: text('id').primaryKey(),
    organizationId: text('organization_id').notNull(),
    projectId: text('project_id').notNull(),
    name: text('name').notNull(),
    description: text('description').notNull(),
    /** JSON Schemas that new items must fit; null for anything. */
    inputSchema: text('input_schema', { mode: 'json' }).$type<object>(),
    expectedSchema: text('expected_schema', { mode: 'json' }).$type<object>(),
    /** The newest version; 0 before the first item. */
    version: integer('version').notNull(),
    /** Number of the last item that was ever added; numbers are not used again. */
    lastNo: integer('last_no').notNull(),
    /** Rows and bytes of all versions, for the limits of the plan. Erasure may leave them too high. */
    rows: integer('rows').notNull(),
    bytes: integer('bytes').notNull(),
    /** `DELETING`, or the random name of the import that is writing the next version; null without. */
    busy: text('busy'),
    /** When that import wrote last. */
    busyAt: time('busy_at'),
    /** A person's id, or `operator`. They may be a member no more. */
    createdBy: text('created_by').notNull(),
    createdAt: time('created_at').notNull(),
    updatedAt: time('updated_at').notNull(),
  },
  (table) => [
    foreignKey({
      columns: [table.projectId, table.organizationId],
      foreignColumns: [projects.id, projects.organizationId],
    }),
    uniqueIndex('datasets_name').on(table.projectId, table.name),
    index('datasets_busy').on(table.busy),
  ],
);

/** What each version of a dataset changed. */
export const datasetVersions = sqliteTable(
  'dataset_versions',
  {
    datasetId: text('dataset_id').notNull(),
    projectId: text('project_id')
      .notNull()
      .references(() => projects.id),
    version: integer('version').notNull(),
    added: integer('added').notNull(),
    changed: integer('changed').notNull(),
    removed: integer('removed').notNull(),
    message: text('message').notNull(),
    createdBy: text('created_by').notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.datasetId, table.version] }),
    index('dataset_versions_project').on(table.projectId, table.datasetId, table.version),
  ],
);

/**
 * Items as versions have them: a row holds from `fromVersion` up to, and not including, `toVersion`. A version is the rows
 * that hold at its number, so it needs no copy and never changes.
 */
export const datasetItems = sqliteTable(
  'dataset_items',
  {
    datasetId: text('dataset_id').notNull(),
    /** Number of the project: readers see rows by it. */
    project: integer('project')
      .notNull()
      .references(() => projects.no),
    /** Position in the dataset; the same for all rows of an item. */
    no: integer('no').notNull(),
    fromVersion: integer('from_version').notNull(),
    /** Null: the row holds in the newest version. */
    toVersion: integer('to_version'),
    /** Chosen by the client, or made. */
    id: text('id').notNull(),
    /** JSON text of these three; `expected` and `metadata` may be null. */
    input: text('input').notNull(),
    expected: text('expected'),
    metadata: text('metadata'),
    split: text('split'),
    /** End user of the call that the item is from. */
    userId: text('user_id'),
    sourceTraceId: text('source_trace_id'),
    sourceSpanId: text('source_span_id'),
    bytes: integer('bytes').notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.datasetId, table.no, table.fromVersion] }),
    uniqueIndex('dataset_items_id').on(table.datasetId, table.id, table.fromVersion),
    index('dataset_items_split').on(table.datasetId, table.toVersion, table.split, table.no),
    index('dataset_items_user').on(table.project, table.userId),
  ],
);
