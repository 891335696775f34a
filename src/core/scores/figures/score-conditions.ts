import type { SqlValue } from '../../../db/connection.ts';
import { badRequest } from '../../../errors.ts';
import type { Condition } from '../../events/filter/contract.ts';
import { FAILED_STATUSES } from '../../events/index.ts';
import { isScoreCondition, SCORE_FILTER_FIELDS, type ScoreFilterField } from '../values/contract.ts';

/** A condition of SQL and its arguments. */
export type SqlPart = { readonly sql: string; readonly args: readonly SqlValue[] };

const FAILED = FAILED_STATUSES.map((status) => `'${status}'`).join(', ');

/** The columns of a score that filters know. */
const COLUMNS: Readonly<Record<ScoreFilterField, string>> = {
  model: 'model',
  provider: 'provider',
  environment: 'environment',
  status: 'status',
  error: `CASE WHEN status IN (${FAILED}) THEN coalesce(error_code, status) END`,
  kind: 'kind',
  user: 'user_id',
  session: 'session_id',
  key: 'key_id',
  operation: 'operation',
  agent: 'agent',
  agentVersion: 'agent_version',
  tool: 'tool',
  release: 'release',
  prompt: 'prompt_name',
  promptVersion: 'prompt_version',
  finish: 'finish_reason',
};

/** A tag as text, as events are filtered by it: values that are not text are JSON, an empty one is none. */
const TAG = `nullif((SELECT CASE type WHEN 'true' THEN 'true' WHEN 'false' THEN 'false' ELSE CAST(value AS TEXT) END
  FROM json_each(tags) WHERE key = ? LIMIT 1), '')`;

/** The dimension of a group as SQL. */
export function dimensionSql(dimension: string): SqlPart {
  if (dimension.startsWith('tag:')) return { sql: TAG, args: [dimension.slice('tag:'.length)] };
  const names: Readonly<Record<string, string>> = {
    agentVersion: 'agent_version',
    promptName: 'prompt_name',
    promptVersion: 'prompt_version',
    userId: 'user_id',
    sessionId: 'session_id',
    keyId: 'key_id',
    errorCode: 'error_code',
    finishReason: 'finish_reason',
  };
  return { sql: names[dimension] ?? dimension, args: [] };
}

/** What a condition of a filter asks of a score's target. @throws AppError 400 for a field that scores do not keep */
export function conditionSql(condition: Condition): SqlPart {
  const { field, not } = condition;
  if (!isScoreCondition(condition))
    throw badRequest(
      `filter: scores cannot be filtered by ${field}; use ${SCORE_FILTER_FIELDS.join(', ')} or tag.NAME`,
    );
  const column: SqlPart = field.startsWith('tag.')
    ? { sql: TAG, args: [field.slice('tag.'.length)] }
    : { sql: COLUMNS[field as ScoreFilterField], args: [] };
  const tests = testsOf(condition, column);
  const sql = `coalesce(${tests.map((test) => `(${test.sql})`).join(' OR ')}, 0)`;
  return { sql: not ? `NOT ${sql}` : sql, args: tests.flatMap(({ args }) => args) };
}

function testsOf({ values, globs, contains, field }: Condition, { sql, args }: SqlPart): SqlPart[] {
  const given =
    field === 'status' ? values?.flatMap((one) => (one === 'failed' ? FAILED_STATUSES : one)) : values;
  const tests: SqlPart[] = [];
  if (given !== undefined)
    tests.push({
      sql: `${sql} IN (SELECT value FROM json_each(?))`,
      args: [...args, JSON.stringify(given)],
    });
  for (const glob of globs ?? [])
    tests.push({ sql: `lower(${sql}) GLOB ?`, args: [...args, glob.replaceAll('[', '[[]')] });
  if (contains !== undefined) tests.push({ sql: `instr(lower(${sql}), ?) > 0`, args: [...args, contains] });
  return tests.length === 0 ? [{ sql: `${sql} IS NOT NULL`, args }] : tests;
}
