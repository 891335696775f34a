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
import type { ModelConfig } from '../../core/models/contract.ts';
import { projects } from '../../core/projects/table.ts';
import type { Suite, ToolCall, Verdict } from '../../lib/simulations/definition.ts';
import { OUTCOMES } from '../../lib/simulations/definition.ts';
import { CONVERSATION_STATES, type Metric, RUN_STATUSES } from './runs/contract.ts';

const time = (name: string) => integer(name, { mode: 'timestamp_ms' });

/** A target prompt as it was when the run began, by the place of its scenario. */
export type ResolvedPrompt = {
  readonly version: number;
  readonly model: string;
  readonly config: ModelConfig;
};

/** Suites of scenarios in their newest version. */
export const simulations = sqliteTable(
  'simulations',
  {
    id: text('id').primaryKey(),
    organizationId: text('organization_id').notNull(),
    projectId: text('project_id').notNull(),
    name: text('name').notNull(),
    version: integer('version').notNull(),
    /** Sealed JSON of secrets by their names; null without any. */
    secrets: text('secrets'),
    createdAt: time('created_at').notNull(),
    updatedAt: time('updated_at').notNull(),
  },
  (table) => [
    foreignKey({
      columns: [table.projectId, table.organizationId],
      foreignColumns: [projects.id, projects.organizationId],
    }),
    uniqueIndex('simulations_name').on(table.projectId, table.name),
  ],
);

export const simulationVersions = sqliteTable(
  'simulation_versions',
  {
    simulationId: text('simulation_id').notNull(),
    version: integer('version').notNull(),
    organizationId: text('organization_id').notNull(),
    projectId: text('project_id').notNull(),
    /** As it was written: YAML or JSON. */
    source: text('source').notNull(),
    suite: text('suite', { mode: 'json' }).$type<Suite>().notNull(),
    message: text('message').notNull(),
    createdBy: text('created_by').notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.simulationId, table.version] }),
    index('simulation_versions_project').on(table.projectId),
    foreignKey({
      columns: [table.projectId, table.organizationId],
      foreignColumns: [projects.id, projects.organizationId],
    }),
  ],
);

export const simulationRuns = sqliteTable(
  'simulation_runs',
  {
    id: text('id').primaryKey(),
    organizationId: text('organization_id').notNull(),
    projectId: text('project_id').notNull(),
    simulationId: text('simulation_id').notNull(),
    version: integer('version').notNull(),
    /** The caller's own id. */
    runId: text('run_id'),
    seed: integer('seed').notNull(),
    concurrency: integer('concurrency').notNull(),
    maxCostNano: integer('max_cost_nano'),
    /** Names of the scenarios; null for all. */
    only: text('only', { mode: 'json' }).$type<readonly string[]>(),
    repetitions: integer('repetitions'),
    /** By the place of the scenario in the suite. */
    prompts: text('prompts', { mode: 'json' }).$type<Readonly<Record<string, ResolvedPrompt>>>().notNull(),
    /** The last completed run of the suite when this one began. */
    baselineId: text('baseline_id'),
    status: text('status', { enum: RUN_STATUSES }).notNull(),
    error: text('error'),
    planned: integer('planned').notNull(),
    /** Figures when it ended, for lists. */
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
    uniqueIndex('simulation_runs_run').on(table.projectId, table.runId),
    index('simulation_runs_status').on(table.status),
    index('simulation_runs_suite').on(table.simulationId, table.id),
  ],
);

export const simulationConversations = sqliteTable(
  'simulation_conversations',
  {
    runId: text('run_id').notNull(),
    /** Number of the project: readers see rows by it. */
    project: integer('project')
      .notNull()
      .references(() => projects.no),
    no: integer('no').notNull(),
    /** Place of the scenario in the suite. */
    place: integer('place').notNull(),
    scenario: text('scenario').notNull(),
    repetition: integer('repetition').notNull(),
    state: text('state', { enum: CONVERSATION_STATES }).notNull(),
    outcome: text('outcome', { enum: OUTCOMES }),
    /** How often a person had it run again. Part of the keys of its requests. */
    round: integer('round').notNull().default(0),
    criteria: text('criteria', { mode: 'json' }).$type<readonly Verdict[]>(),
    /** The first reason why it failed. */
    failure: text('failure'),
    turns: integer('turns').notNull().default(0),
    /** Of all answers together. */
    latencyMs: real('latency_ms'),
    /** All of it, and the part of the target; what is unknown counts as nothing. */
    costNano: integer('cost_nano'),
    targetCostNano: integer('target_cost_nano'),
    unknownCosts: integer('unknown_costs').notNull().default(0),
    endedAt: time('ended_at'),
  },
  (table) => [
    primaryKey({ columns: [table.runId, table.no] }),
    index('simulation_conversations_state').on(table.runId, table.state, table.no),
  ],
);

export const simulationTurns = sqliteTable(
  'simulation_turns',
  {
    runId: text('run_id').notNull(),
    project: integer('project')
      .notNull()
      .references(() => projects.no),
    no: integer('no').notNull(),
    turn: integer('turn').notNull(),
    /** Null: the message was about to be sent, and what came of it is not known. */
    answer: text('answer'),
    user: text('user').notNull(),
    userCostNano: integer('user_cost_nano'),
    toolCalls: text('tool_calls', { mode: 'json' }).$type<readonly ToolCall[]>(),
    latencyMs: real('latency_ms'),
    costNano: integer('cost_nano'),
    traceId: text('trace_id'),
    error: text('error'),
    verdicts: text('verdicts', { mode: 'json' }).$type<readonly Verdict[]>(),
  },
  (table) => [primaryKey({ columns: [table.runId, table.no, table.turn] })],
);
