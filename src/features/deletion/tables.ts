import type { Slice } from '../../core/jobs/index.ts';

/** A table that holds rows of projects, and how they are walked. */
type ProjectTable = {
  readonly table: string;
  /** `project` holds the project's number, `project_id` its id. */
  readonly by: 'project' | 'project_id';
  readonly key: readonly string[];
};

/** What the sums of an hour or a day are told apart by. */
const SUM_KEY = ['kind', 'is_call', 'status', 'provider', 'model', 'environment', 'error_code'] as const;

/** Every table with rows of a project, those that refer to others first. */
const PROJECT_TABLES: readonly ProjectTable[] = [
  { table: 'events', by: 'project', key: ['ts', 'event_id'] },
  { table: 'event_chunks', by: 'project', key: ['chunk'] },
  { table: 'event_shapes', by: 'project', key: ['id'] },
  { table: 'event_labels', by: 'project', key: ['id'] },
  { table: 'event_prices', by: 'project', key: ['id'] },
  { table: 'trace_filters', by: 'project', key: ['chunk'] },
  { table: 'session_chunks', by: 'project', key: ['chunk'] },
  { table: 'event_filters', by: 'project', key: ['chunk'] },
  { table: 'user_days', by: 'project', key: ['page', 'span', 'day'] },
  { table: 'event_users', by: 'project', key: ['no'] },
  { table: 'chunk_seals', by: 'project', key: ['project'] },
  { table: 'rows_from', by: 'project', key: ['project'] },
  { table: 'rollup_slots', by: 'project', key: ['slot', ...SUM_KEY] },
  { table: 'rollup_hours', by: 'project', key: ['hour', ...SUM_KEY] },
  { table: 'rollup_days', by: 'project', key: ['day', ...SUM_KEY] },
  { table: 'rollup_labels', by: 'project', key: ['day', 'label'] },
  { table: 'rollup_label_hours', by: 'project', key: ['hour', 'label'] },
  { table: 'label_packs', by: 'project', key: ['hours', 'time'] },
  { table: 'repriced_events', by: 'project', key: ['repricing', 'ts', 'event_id'] },
  { table: 'repricings', by: 'project', key: ['id'] },
  { table: 'undated_events', by: 'project', key: ['event_id'] },
  { table: 'quarantined_events', by: 'project', key: ['received_at', 'id'] },
  { table: 'budgets', by: 'project_id', key: ['id'] },
  { table: 'saved_views', by: 'project_id', key: ['id'] },
  { table: 'erasures', by: 'project_id', key: ['id'] },
  { table: 'api_keys', by: 'project_id', key: ['id'] },
];

/** Tables that name a project and outlive it, such as a log that nobody may change. */
export const KEPT_TABLES: readonly string[] = ['audit_log'];

/** What the purge deletes of one project, a table at a time. */
export const projectSlices: readonly (Slice & Pick<ProjectTable, 'by'>)[] = PROJECT_TABLES.map(
  ({ table, by, key }) => ({ name: `deletion.${table}`, table, by, key, prefix: `${by} = ?` }),
);
