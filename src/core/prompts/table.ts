import {
  foreignKey,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core';
import type { PromptMessage } from '../../lib/prompts/fill-template.ts';
import { projects } from '../projects/table.ts';
import type { LabelVersion, PromptConfig } from './contract.ts';

const time = (name: string) => integer(name, { mode: 'timestamp_ms' });
const ofProject = () =>
  text('project_id')
    .notNull()
    .references(() => projects.id);

/** Prompts of projects. What they say is in their versions. */
export const prompts = sqliteTable(
  'prompts',
  {
    id: text('id').primaryKey(),
    organizationId: text('organization_id').notNull(),
    projectId: text('project_id').notNull(),
    name: text('name').notNull(),
    type: text('type', { enum: ['text', 'chat'] }).notNull(),
    description: text('description').notNull(),
    tags: text('tags', { mode: 'json' }).$type<readonly string[]>().notNull(),
    /** Number of the last version that was ever created; numbers are not used again. */
    lastVersion: integer('last_version').notNull(),
    /** Size of all versions, for the limit of the plan. */
    bytes: integer('bytes').notNull(),
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
    uniqueIndex('prompts_name').on(table.projectId, table.name),
  ],
);

/** Versions of prompts. They do not change. */
export const promptVersions = sqliteTable(
  'prompt_versions',
  {
    promptId: text('prompt_id').notNull(),
    projectId: ofProject(),
    version: integer('version').notNull(),
    /** The text of a text prompt; null for a chat prompt. */
    template: text('template'),
    /** The messages of a chat prompt; null for a text prompt. */
    messages: text('messages', { mode: 'json' }).$type<readonly PromptMessage[]>(),
    config: text('config', { mode: 'json' }).$type<PromptConfig>().notNull(),
    /** Names of the variables in its own text; those of includes are not among them. */
    variables: text('variables', { mode: 'json' }).$type<readonly string[]>().notNull(),
    /** Names of the prompts that its text includes. */
    includes: text('includes', { mode: 'json' }).$type<readonly string[]>().notNull(),
    /** What changed, in a line. */
    message: text('message').notNull(),
    bytes: integer('bytes').notNull(),
    createdBy: text('created_by').notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.promptId, table.version] }),
    index('prompt_versions_project').on(table.projectId, table.promptId, table.version),
  ],
);

/** Labels of prompts: a name for one version, or for several with weights. */
export const promptLabels = sqliteTable(
  'prompt_labels',
  {
    promptId: text('prompt_id').notNull(),
    projectId: ofProject(),
    label: text('label').notNull(),
    versions: text('versions', { mode: 'json' }).$type<readonly LabelVersion[]>().notNull(),
    updatedBy: text('updated_by').notNull(),
    updatedAt: time('updated_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.promptId, table.label] }),
    index('prompt_labels_project').on(table.projectId, table.promptId, table.label),
  ],
);

/** Each change of a label. */
export const promptLabelChanges = sqliteTable(
  'prompt_label_changes',
  {
    id: text('id').primaryKey(),
    promptId: text('prompt_id').notNull(),
    projectId: ofProject(),
    label: text('label').notNull(),
    /** Null: the label was new. */
    previous: text('previous', { mode: 'json' }).$type<readonly LabelVersion[]>(),
    /** Null: the label was removed. */
    versions: text('versions', { mode: 'json' }).$type<readonly LabelVersion[]>(),
    changedBy: text('changed_by').notNull(),
    changedAt: time('changed_at').notNull(),
  },
  (table) => [index('prompt_label_changes_prompt').on(table.projectId, table.promptId, table.changedAt)],
);

/** What a project has chosen for its prompts. */
export const promptSettings = sqliteTable('prompt_settings', {
  projectId: text('project_id')
    .primaryKey()
    .references(() => projects.id),
  /** Labels that only admins change. */
  protectedLabels: text('protected_labels', { mode: 'json' }).$type<readonly string[]>().notNull(),
});
