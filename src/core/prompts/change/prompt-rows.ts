import type { Connection, SqlValue } from '../../../db/connection.ts';
import type { LabelVersion, PromptType } from '../contract.ts';

/** A prompt as a change needs it. */
export type KnownPrompt = { readonly id: string; readonly type: PromptType; readonly lastVersion: number };

export type NewRow = {
  readonly id: string;
  readonly organizationId: string;
  readonly projectId: string;
  readonly name: string;
  readonly type: PromptType;
  readonly description: string;
  readonly tags: readonly string[];
  readonly by: string;
  readonly now: number;
};

export type VersionRow = {
  readonly promptId: string;
  readonly projectId: string;
  readonly version: number;
  readonly template: string | null;
  /** JSON text of each of these. */
  readonly messages: string | null;
  readonly config: string;
  readonly variables: string;
  readonly includes: string;
  readonly message: string;
  readonly bytes: number;
  readonly by: string;
  readonly now: number;
};

type LabelRow = {
  readonly promptId: string;
  readonly projectId: string;
  readonly label: string;
  readonly by: string;
  readonly now: number;
};

/** Prompts in the open transaction of the writing connection. */
export function promptRows(connection: Connection) {
  const all = (sql: string) => {
    const prepared = connection.prepare(sql).raw(true);
    return (...args: SqlValue[]): SqlValue[][] => prepared.all(args) as SqlValue[][];
  };
  const run = (sql: string) => {
    const prepared = connection.prepare(sql);
    return (...args: SqlValue[]): number => prepared.run(args).changes;
  };
  const find = all('SELECT id, type, last_version FROM prompts WHERE project_id = ? AND name = ?');
  const usage = all('SELECT count(*), coalesce(sum(bytes), 0) FROM prompts WHERE project_id = ?');
  const labels = all('SELECT label, versions FROM prompt_labels WHERE prompt_id = ? ORDER BY label');
  const hasVersion = all('SELECT 1 FROM prompt_versions WHERE prompt_id = ? AND version = ?');
  const isProtected = all(
    'SELECT 1 FROM prompt_settings, json_each(protected_labels) AS l WHERE project_id = ? AND l.value = ?',
  );
  const users = all(
    `SELECT DISTINCT p.name FROM prompt_versions AS v JOIN prompts AS p ON p.id = v.prompt_id
     WHERE v.project_id = ? AND v.prompt_id <> ? AND EXISTS (SELECT 1 FROM json_each(v.includes) WHERE value = ?)
       AND EXISTS (SELECT 1 FROM prompt_labels AS l, json_each(l.versions) AS lv
         WHERE l.prompt_id = v.prompt_id AND lv.value ->> '$.version' = v.version)
     ORDER BY p.name LIMIT 4`,
  );
  const insert = run(
    `INSERT INTO prompts (id, organization_id, project_id, name, type, description, tags, last_version, bytes,
       created_by, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, 0, 0, ?, ?, ?)`,
  );
  const insertVersion = run(
    `INSERT INTO prompt_versions (prompt_id, project_id, version, template, messages, config, variables, includes,
       message, bytes, created_by, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const noteVersion = run(
    'UPDATE prompts SET last_version = ?, bytes = bytes + ?, updated_at = ? WHERE id = ?',
  );
  const update = run('UPDATE prompts SET description = ?, tags = ?, updated_at = ? WHERE id = ?');
  const touch = run('UPDATE prompts SET updated_at = ? WHERE id = ?');
  const putLabel = run(
    `INSERT INTO prompt_labels (prompt_id, project_id, label, versions, updated_by, updated_at)
     VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (prompt_id, label) DO UPDATE SET
       versions = excluded.versions, updated_by = excluded.updated_by, updated_at = excluded.updated_at`,
  );
  const dropLabel = run('DELETE FROM prompt_labels WHERE prompt_id = ? AND label = ?');
  const noteChange = run(
    `INSERT INTO prompt_label_changes (id, prompt_id, project_id, label, previous, versions, changed_by, changed_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const freeBytes = run(
    `UPDATE prompts SET updated_at = ?, bytes = bytes -
       (SELECT bytes FROM prompt_versions WHERE prompt_id = prompts.id AND version = ?) WHERE id = ?`,
  );
  const dropVersion = run('DELETE FROM prompt_versions WHERE prompt_id = ? AND version = ?');
  const drops = ['prompt_label_changes', 'prompt_labels', 'prompt_versions'].map((table) =>
    run(`DELETE FROM ${table} WHERE prompt_id = ?`),
  );
  const drop = run('DELETE FROM prompts WHERE id = ?');

  return {
    find: (projectId: string, name: string): KnownPrompt | null => {
      const [row] = find(projectId, name);
      return row === undefined
        ? null
        : { id: String(row[0]), type: row[1] as PromptType, lastVersion: Number(row[2]) };
    },
    usage: (projectId: string): { readonly prompts: number; readonly bytes: number } => {
      const [row] = usage(projectId);
      return { prompts: Number(row?.[0]), bytes: Number(row?.[1]) };
    },
    labels: (promptId: string): Map<string, readonly LabelVersion[]> =>
      new Map(labels(promptId).map(([label, versions]) => [String(label), JSON.parse(String(versions))])),
    hasVersion: (promptId: string, version: number): boolean => hasVersion(promptId, version).length > 0,
    isProtected: (projectId: string, label: string): boolean => isProtected(projectId, label).length > 0,
    /** Names of other prompts whose labelled versions include this one, at most 4. */
    usersOf: (projectId: string, promptId: string, name: string): string[] =>
      users(projectId, promptId, name).map(([user]) => String(user)),
    insert: ({ id, organizationId, projectId, name, type, description, tags, by, now }: NewRow): void =>
      void insert(id, organizationId, projectId, name, type, description, JSON.stringify(tags), by, now, now),
    addVersion: (row: VersionRow): void => {
      const { promptId, version, bytes, now } = row;
      insertVersion(
        promptId,
        row.projectId,
        version,
        row.template,
        row.messages,
        row.config,
        row.variables,
        row.includes,
        row.message,
        bytes,
        row.by,
        now,
      );
      noteVersion(version, bytes, now, promptId);
    },
    update: (promptId: string, description: string, tags: readonly string[], now: number): void =>
      void update(description, JSON.stringify(tags), now, promptId),
    /** @param versions null removes the label */
    setLabel: (
      { promptId, projectId, label, by, now }: LabelRow,
      { id, previous, versions }: LabelChange,
    ): void => {
      const text = versions === null ? null : JSON.stringify(versions);
      if (text === null) dropLabel(promptId, label);
      else putLabel(promptId, projectId, label, text, by, now);
      noteChange(id, promptId, projectId, label, previous && JSON.stringify(previous), text, by, now);
      touch(now, promptId);
    },
    dropVersion: (promptId: string, version: number, now: number): void => {
      freeBytes(now, version, promptId);
      dropVersion(promptId, version);
    },
    drop: (promptId: string): void => {
      for (const one of drops) one(promptId);
      drop(promptId);
    },
  };
}
export type PromptRows = ReturnType<typeof promptRows>;

type LabelChange = {
  readonly id: string;
  readonly previous: readonly LabelVersion[] | null;
  readonly versions: readonly LabelVersion[] | null;
};
