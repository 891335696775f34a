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
import type { EvaluatorRules } from '../../core/evaluators/config/contract.ts';
import type { ModelConfig } from '../../core/models/contract.ts';
import { projects } from '../../core/projects/table.ts';
import type { Metric } from './contract.ts';
import { EXPERIMENT_STATUSES, RUN_STATES } from './contract.ts';

const time = (name: string) => integer(name, { mode: 'timestamp_ms' });

/** A task with what it referred to when the experiment was created. */
export type StoredTask =
  | {
      readonly kind: 'prompt';
      readonly prompt: string;
      readonly version: number;
      readonly model: string;
      readonly config: ModelConfig;
    }
  | { readonly kind: 'external' };

/** An evaluator as it was when the experiment was created. Name and version are null if it was not a saved one. */
export type UsedEvaluator = {
  readonly evaluatorId: string | null;
  readonly name: string | null;
  readonly version: number | null;
  readonly scoreName: string;
  readonly rules: EvaluatorRules;
};

/** Runs of a task over a version of a dataset. */
export const experiments = sqliteTable(
  'experiments',
  {
    id: text('id').primaryKey(),
    organizationId: text('organization_id').notNull(),
    projectId: text('project_id').notNull(),
    name: text('name').notNull(),
    runId: text('run_id'),
    datasetId: text('dataset_id').notNull(),
    datasetVersion: integer('dataset_version').notNull(),
    split: text('split'),
    task: text('task', { mode: 'json' }).$type<StoredTask>().notNull(),
    evaluators: text('evaluators', { mode: 'json' }).$type<readonly UsedEvaluator[]>().notNull(),
    repetitions: integer('repetitions').notNull(),
    concurrency: integer('concurrency').notNull(),
    maxCostNano: integer('max_cost_nano'),
    baselineId: text('baseline_id'),
    status: text('status', { enum: EXPERIMENT_STATUSES }).notNull(),
    /** Why it is paused or failed. */
    error: text('error'),
    /** Results that it will have. */
    planned: integer('planned').notNull(),
    /** Position of the last item whose runs exist. */
    preparedNo: integer('prepared_no').notNull(),
    /** Means when it ended, for lists. */
    summary: text('summary', { mode: 'json' }).$type<readonly Metric[]>(),
    createdBy: text('created_by').notNull(),
    createdAt: time('created_at').notNull(),
    finishedAt: time('finished_at'),
  },
  (table) => [
    foreignKey({
      columns: [table.projectId, table.organizationId],
      foreignColumns: [projects.id, projects.organizationId],
    }),
    uniqueIndex('experiments_run').on(table.projectId, table.runId),
    index('experiments_status').on(table.status),
    index('experiments_dataset').on(table.projectId, table.datasetId, table.createdAt),
  ],
);

/** One run of an item. What it is about is in the dataset. */
export const experimentRuns = sqliteTable(
  'experiment_runs',
  {
    experimentId: text('experiment_id').notNull(),
    /** Number of the project: readers see rows by it. */
    project: integer('project')
      .notNull()
      .references(() => projects.no),
    /** Position of the item in the dataset. */
    no: integer('no').notNull(),
    repetition: integer('repetition').notNull(),
    itemId: text('item_id').notNull(),
    state: text('state', { enum: RUN_STATES }).notNull(),
    /** How often a person had it run again. Part of the keys of its calls. */
    round: integer('round').notNull().default(0),
    /** JSON text. */
    output: text('output'),
    error: text('error'),
    traceId: text('trace_id'),
    eventId: text('event_id'),
    latencyMs: real('latency_ms'),
    /** Of the task, without the evaluators; null if unknown. */
    costNano: integer('cost_nano'),
    /** End user whose data it is. */
    userId: text('user_id'),
    endedAt: time('ended_at'),
  },
  (table) => [
    primaryKey({ columns: [table.experimentId, table.no, table.repetition] }),
    index('experiment_runs_item').on(table.experimentId, table.itemId, table.repetition),
    index('experiment_runs_state').on(table.experimentId, table.state, table.no, table.repetition),
    index('experiment_runs_user').on(table.project, table.userId),
  ],
);

/** Scores of runs. */
export const experimentScores = sqliteTable(
  'experiment_scores',
  {
    experimentId: text('experiment_id').notNull(),
    project: integer('project')
      .notNull()
      .references(() => projects.no),
    no: integer('no').notNull(),
    repetition: integer('repetition').notNull(),
    name: text('name').notNull(),
    itemId: text('item_id').notNull(),
    /** Null for a category, and without a score. */
    value: real('value'),
    /** The word of a score that is a category. */
    category: text('category'),
    comment: text('comment'),
    error: text('error'),
    /** Event of the judge's call. */
    eventId: text('event_id'),
    costNano: integer('cost_nano'),
    userId: text('user_id'),
  },
  (table) => [
    primaryKey({ columns: [table.experimentId, table.no, table.repetition, table.name] }),
    index('experiment_scores_name').on(table.experimentId, table.name, table.itemId),
    index('experiment_scores_user').on(table.project, table.userId),
  ],
);
