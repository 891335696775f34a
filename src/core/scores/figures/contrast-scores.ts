import type { SqlValue } from '../../../db/connection.ts';
import type { Reader, ReadOp } from '../../../db/reader.ts';
import { badRequest } from '../../../errors.ts';
import type { AskedScore } from '../../../lib/scores/score-measures.ts';
import type { Condition } from '../../events/filter/contract.ts';
import {
  type ComparedCall,
  type Contrast,
  compareWindows,
  FAILED_STATUSES,
  toPart,
  type Window,
} from '../../events/index.ts';
import { conditionSql } from './score-conditions.ts';

/** Compares the scores of two windows in every dimension of what they are about. */
export type ScoreContrastQuery = {
  readonly asked: AskedScore;
  readonly window: Window;
  readonly baseline: Window;
  readonly where: readonly Condition[];
  /** Most values to list per dimension. */
  readonly values: number;
};

/** Most scores of one window, all of which are read. */
const MAX_SCORES = 200_000;

/**
 * Compares two windows as the contrast of calls does, with a score in the place of a call: a mean is the values divided
 * by their number.
 * @throws AppError 400 if a window has too many scores
 */
export const contrastScores: ReadOp<ScoreContrastQuery, Contrast> = {
  name: 'scores.contrast',
  run(reader, query) {
    const { window, baseline, values, asked } = query;
    const parts = [
      toPart('window', readScores(reader, query, window)),
      toPart('baseline', readScores(reader, query, baseline)),
    ];
    return compareWindows({ window, baseline, values, isRatio: !asked.isCount }, () => parts);
  },
};

const FAILED = FAILED_STATUSES.map((status) => `'${status}'`).join(', ');
const COLUMNS = [
  'model',
  'provider',
  'environment',
  'user_id',
  `CASE WHEN status IN (${FAILED}) THEN coalesce(error_code, status) END`,
  'release',
  'agent',
  'tool',
  'prompt_name',
  "prompt_name || '@' || prompt_version",
  'key_id',
  'tags',
].join(', ');

function readScores(reader: Reader, query: ScoreContrastQuery, { from, to }: Window): ComparedCall[] {
  const { asked, where } = query;
  const conditions = where.map(conditionSql);
  const part =
    asked.category === null ? (asked.isCount ? '1' : 'coalesce(value, 0)') : 'coalesce(category = ?, 0)';
  const args: SqlValue[] = [
    ...(asked.category === null ? [] : [asked.category]),
    ...[asked.name, from, to],
    ...conditions.flatMap((one) => one.args),
    MAX_SCORES + 1,
  ];
  const rows = reader.rows(
    `SELECT ${part}, ${COLUMNS} FROM scores
     WHERE name = ? AND at >= ? AND at < ? AND item_id = '' ${conditions.map(({ sql }) => `AND ${sql}`).join(' ')}
     LIMIT ?`,
    args,
  );
  if (rows.length > MAX_SCORES)
    throw badRequest(
      `start: at most ${MAX_SCORES.toLocaleString('en-US')} scores of a window are compared; choose less time`,
    );
  return rows.map((row) => toCompared(row, asked));
}

const textOf = (value: SqlValue | undefined): string | null =>
  value === null || value === undefined ? null : String(value);

function toCompared(row: readonly SqlValue[], { isCount }: AskedScore): ComparedCall {
  const [part, ...columns] = row;
  const [model, provider, environment, user, error, release, agent, tool, prompt, version, key, tags] =
    columns.map(textOf);
  return {
    ...{ part: Number(part), whole: isCount ? 0 : 1 },
    model: model ?? null,
    provider: provider ?? null,
    environment: environment ?? '',
    user: user ?? null,
    error: error ?? null,
    release: release ?? null,
    agent: agent ?? null,
    tool: tool ?? null,
    prompt: prompt ?? null,
    version: version ?? null,
    key: key ?? null,
    labels: tags === null || tags === undefined ? {} : labelsOf(JSON.parse(tags)),
  };
}

/** Tags as text, as events are filtered by them: values that are not text are JSON. */
const labelsOf = (tags: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(tags).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
