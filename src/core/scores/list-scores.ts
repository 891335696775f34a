import { inArray } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import type { SqlValue } from '../../db/connection.ts';
import type { ReadOp } from '../../db/reader.ts';
import { badRequest } from '../../errors.ts';
import { formatInstant } from '../../lib/time.ts';
import { users } from '../orgs/table.ts';
import { ofProjects, type ProjectScope } from '../tenancy/index.ts';
import type { Score, ScoresQuery } from './contract.ts';
import type { ScoreSource } from './values/contract.ts';

type Row = {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly value: number | null;
  readonly category: string | null;
  readonly trace_id: string;
  readonly span_id: string;
  readonly target_session: string;
  readonly item_id: string;
  readonly source: ScoreSource;
  readonly comment: string | null;
  readonly evaluator_id: string | null;
  readonly evaluator_version: number | null;
  readonly judge_event_id: string | null;
  readonly created_by: string | null;
  readonly created_at: number;
  readonly updated_at: number;
  readonly at: number;
};

/** Which scores to read. `experimentItemIds`: those of some results of an experiment; `ids`: some by their ids. */
export type ScoresSelection = Partial<ScoresQuery> & {
  readonly limit: number;
  readonly experimentItemIds?: readonly string[];
  readonly ids?: readonly string[];
};

type Place = { readonly createdAt: number; readonly id: string };
type Query = Omit<ScoresSelection, 'cursor'> & { readonly after: Place | null };

/** Scores of one project, newest first; one more than the limit if there are more. */
export const listScoresRead: ReadOp<Query, Row[]> = {
  name: 'scores.list',
  run(reader, query) {
    const where: string[] = ['project = ?'];
    const args: SqlValue[] = [reader.projects[0] ?? -1];
    const only = (condition: string, value: SqlValue | undefined): void => {
      if (value === undefined) return;
      where.push(condition);
      args.push(value);
    };
    only('name = ?', query.name);
    only('trace_id = ?', query.traceId);
    only('target_session = ?', query.sessionId);
    only('item_id = ?', query.experimentItemId);
    only('item_id IN (SELECT value FROM json_each(?))', jsonOf(query.experimentItemIds));
    only('id IN (SELECT value FROM json_each(?))', jsonOf(query.ids));
    only('source = ?', query.source);
    only('evaluator_id = ?', query.evaluatorId);
    only('created_at >= ?', query.start);
    only('created_at <= ?', query.end);
    if (query.after !== null) {
      where.push('(created_at, id) < (?, ?)');
      args.push(query.after.createdAt, query.after.id);
    }
    return reader.all<Row>(
      `SELECT id, name, type, value, category, trace_id, span_id, target_session, item_id, source, comment, evaluator_id,
         evaluator_version, judge_event_id, created_by, created_at, updated_at, at
       FROM scores WHERE ${where.join(' AND ')} ORDER BY created_at DESC, id DESC LIMIT ?`,
      [...args, query.limit + 1],
    );
  },
};

const jsonOf = (ids: readonly string[] | undefined): string | undefined =>
  ids === undefined ? undefined : JSON.stringify(ids);

/** A page of scores, newest first. @throws AppError 400 for a cursor that no page returned */
export async function listScores(
  ctx: Ctx,
  scope: ProjectScope,
  { cursor, ...selection }: ScoresSelection,
): Promise<{ scores: Score[]; nextCursor: string | null }> {
  const after = cursor === undefined ? null : placeOf(cursor);
  const rows = (await ctx.db.read(listScoresRead, ofProjects([scope]), { ...selection, after })).parse();
  const shown = rows.slice(0, selection.limit);
  const names = await namesOf(ctx, shown);
  const last = shown.at(-1);
  return {
    scores: shown.map((row) => toScore(row, names)),
    nextCursor: rows.length > selection.limit && last !== undefined ? `${last.created_at}.${last.id}` : null,
  };
}

function placeOf(cursor: string): Place {
  const [, time, id] = /^(\d{1,15})\.([\w.:-]{1,100})$/.exec(cursor) ?? [];
  if (time === undefined || id === undefined) throw badRequest('cursor was not returned by this endpoint');
  return { createdAt: Number(time), id };
}

/** Names of the people who scored, by id. */
async function namesOf(ctx: Ctx, rows: readonly Row[]): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(rows.flatMap(({ created_by }) => created_by ?? []))];
  if (ids.length === 0) return new Map();
  const found = await ctx.db.sql
    .select({ id: users.id, name: users.name })
    .from(users)
    .where(inArray(users.id, ids));
  return new Map(found.map(({ id, name }) => [id, name]));
}

const orNull = (text: string): string | null => (text === '' ? null : text);

const toScore = (row: Row, names: ReadonlyMap<string, string>): Score => ({
  id: row.id,
  name: row.name,
  value: scoreValueOf(row),
  traceId: orNull(row.trace_id),
  spanId: orNull(row.span_id),
  sessionId: orNull(row.target_session),
  experimentItemId: orNull(row.item_id),
  source: row.source,
  comment: row.comment,
  evaluatorId: row.evaluator_id,
  evaluatorVersion: row.evaluator_version,
  judgeEventId: row.judge_event_id,
  createdBy: row.created_by,
  author: row.created_by === null ? null : (names.get(row.created_by) ?? null),
  createdAt: formatInstant(row.created_at),
  updatedAt: formatInstant(row.updated_at),
  at: formatInstant(row.at),
});

function scoreValueOf({ type, value, category }: Row): Score['value'] {
  if (type === 'category') return category ?? '';
  return type === 'boolean' ? value === 1 : (value ?? 0);
}
