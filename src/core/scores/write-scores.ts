import { and, eq, inArray, sql } from 'drizzle-orm';
import type { BatchItem } from 'drizzle-orm/batch';
import type { Ctx } from '../../context.ts';
import { brokenConstraint } from '../../db/constraint.ts';
import { newId } from '../../db/new-id.ts';
import { badRequest, conflict, notFound } from '../../errors.ts';
import type { Actor } from '../../module.ts';
import { commitChange } from '../audit/index.ts';
import type { EventSubject, SubjectQuery } from '../events/index.ts';
import type { ProjectScope } from '../tenancy/index.ts';
import type { ScoreDefinition, WrittenScores } from './contract.ts';
import { definitionRow, listDefinitions, toConflict } from './definitions.ts';
import { scoreDefinitions, scores } from './table.ts';
import { findTargets, lookAgain, targetFields } from './target-fields.ts';
import { problemOf, type ScoreSource, type ScoreValue, typeOf } from './values/contract.ts';

/** A score to store. It is about a trace, a span of it, a session, or the result of an item of an experiment. */
export type NewScore = {
  readonly name: string;
  readonly value: ScoreValue;
  readonly traceId?: string | undefined;
  readonly spanId?: string | undefined;
  readonly sessionId?: string | undefined;
  readonly experimentItemId?: string | undefined;
  readonly source: ScoreSource;
  readonly comment?: string | undefined;
  /** Idempotency key: the same id with another value replaces the value. A new id if unset. */
  readonly scoreId?: string | undefined;
  readonly evaluator?: { readonly id: string; readonly version: number } | undefined;
  /** Event of the judge's call. */
  readonly judgeEventId?: string | null | undefined;
  /** Id of the person who gave it. */
  readonly createdBy?: string | null | undefined;
};

/** Who writes scores. Writes of the product itself (`system`) are not audited one by one. */
export type ScoreWriter = { readonly scope: ProjectScope; readonly actor: Actor };

type Statement = BatchItem<'sqlite'>;

type Row = typeof scores.$inferInsert & { readonly id: string };

/**
 * Stores scores, all or none, at most a few hundred. Names without a definition get one, of the type of their value.
 * Targets that have not arrived are looked for later.
 * @param alongside statements of the same transaction
 * @returns the scores in the given order
 * @throws AppError 400 for a value that its definition refuses, 409 if an id is that of a score of something else
 */
export async function writeScores(
  ctx: Ctx,
  { scope, actor }: ScoreWriter,
  given: readonly NewScore[],
  alongside: readonly Statement[] = [],
): Promise<WrittenScores> {
  const now = new Date(ctx.now());
  const unknown = await unknownDefinitions(ctx, scope, given);
  const targets = await findTargets(ctx, scope, given.flatMap(targetOf));
  const found = targets.values();
  const rows = given.map((score) =>
    toRow(score, { scope, now, target: targetOf(score).length === 0 ? undefined : found.next().value }),
  );
  refuseTwice(rows);
  const before = await knownScores(ctx, scope, rows);
  const outcomes = rows.map((row) => outcomeOf(row, before.get(row.id)));
  const missing = unknown.map((one) => definitionRow(scope, one, now));
  const statements: Statement[] = [
    ...missing.map(({ row }) =>
      ctx.db.sql
        .insert(scoreDefinitions)
        .values(row)
        .onConflictDoNothing({ target: [scoreDefinitions.projectId, scoreDefinitions.name] }),
    ),
    ...rows.map((row) => upsert(ctx, scope, row)),
    ...alongside,
  ];
  try {
    if (actor.kind === 'system') await runAll(ctx, statements);
    else await commitChange(ctx, actor, { statements, audit: [noteOf(scope, rows, outcomes)] });
  } catch (error) {
    const columns = brokenConstraint(error)?.columns ?? [];
    if (columns.includes('scores.name'))
      throw conflict('A score of this name got another type at the same time; send the values again');
    throw toConflict(error, '');
  }
  return { scores: rows.map(({ id, name }, i) => ({ id, name, outcome: outcomes[i] ?? 'unchanged' })) };
}

async function runAll(ctx: Ctx, statements: readonly Statement[]): Promise<void> {
  const [first, ...rest] = statements;
  if (first !== undefined) await ctx.db.sql.batch([first, ...rest]);
}

const targetOf = ({ traceId, spanId, sessionId }: NewScore): SubjectQuery[] =>
  traceId !== undefined
    ? [{ traceId, ...(spanId !== undefined && { spanId }) }]
    : sessionId === undefined
      ? []
      : [{ sessionId }];

type Rules = Omit<ScoreDefinition, 'id' | 'createdAt' | 'updatedAt'>;

/** The definitions that names without one get. @throws AppError 400 for a value that its definition refuses */
async function unknownDefinitions(
  ctx: Ctx,
  { projectId }: ProjectScope,
  given: readonly NewScore[],
): Promise<Rules[]> {
  const known = new Map<string, Rules>((await listDefinitions(ctx, projectId)).map((one) => [one.name, one]));
  const stored = new Set(known.keys());
  for (const [place, { name, value }] of given.entries()) {
    const rules = known.get(name) ?? {
      name,
      type: typeOf(value),
      description: '',
      min: null,
      max: null,
      categories: null,
      direction: typeof value === 'string' ? ('none' as const) : ('higher' as const),
    };
    known.set(name, rules);
    const problem = problemOf(value, rules);
    if (problem !== null)
      throw badRequest(`${given.length === 1 ? '' : `${place}.`}value: ${name} ${problem}`);
  }
  return [...known.values()].filter(({ name }) => !stored.has(name));
}

type Facts = {
  readonly scope: ProjectScope;
  readonly now: Date;
  /** Undefined for a score that is about no events. */
  readonly target: EventSubject | null | undefined;
};

function toRow(score: NewScore, { scope, now, target }: Facts): Row {
  const { value, evaluator } = score;
  const unknown = {
    at: now,
    nextLook: target === undefined ? null : lookAgain(now.getTime(), now.getTime()),
  };
  return {
    project: scope.no,
    id: score.scoreId ?? newId('scr', now.getTime()),
    name: score.name,
    type: typeOf(value),
    value: typeof value === 'string' ? null : Number(value),
    category: typeof value === 'string' ? value : null,
    traceId: score.traceId ?? '',
    spanId: score.spanId ?? '',
    targetSession: score.sessionId ?? '',
    itemId: score.experimentItemId ?? '',
    source: score.source,
    comment: score.comment === undefined || score.comment === '' ? null : score.comment,
    evaluatorId: evaluator?.id ?? null,
    evaluatorVersion: evaluator?.version ?? null,
    judgeEventId: score.judgeEventId ?? null,
    createdBy: score.createdBy ?? null,
    createdAt: now,
    updatedAt: now,
    ...(target == null ? unknown : targetFields(target, now.getTime())),
  };
}

function refuseTwice(rows: readonly Row[]): void {
  const seen = new Set<string>();
  for (const { id } of rows) {
    if (seen.has(id)) throw badRequest(`scoreId: ${id} is in the request twice`);
    seen.add(id);
  }
}

type Known = typeof scores.$inferSelect;

async function knownScores(
  ctx: Ctx,
  { no }: ProjectScope,
  rows: readonly Row[],
): Promise<ReadonlyMap<string, Known>> {
  const ids = rows.map(({ id }) => id);
  const found = await ctx.db.sql
    .select()
    .from(scores)
    .where(and(eq(scores.project, no), inArray(scores.id, ids)));
  return new Map(found.map((row) => [row.id, row]));
}

const SAME = ['name', 'traceId', 'spanId', 'targetSession', 'itemId'] as const;

/** @throws AppError 409 if the id is that of a score of something else */
function outcomeOf(row: Row, known: Known | undefined): WrittenScores['scores'][number]['outcome'] {
  if (known === undefined) return 'created';
  if (SAME.some((fact) => known[fact] !== row[fact]))
    throw conflict(`The scoreId ${row.id} is that of another score, of ${known.name}; use a new scoreId`);
  const isSame = (['value', 'category', 'comment'] as const).every((fact) => known[fact] === row[fact]);
  return isSame ? 'unchanged' : 'updated';
}

/** Stores a score; where its id is known, only value, comment and judge change. */
function upsert(ctx: Ctx, { projectId }: ProjectScope, row: Row) {
  const set = (column: string) => sql.raw(`excluded.${column}`);
  return ctx.db.sql
    .insert(scores)
    .values({
      ...row,
      // Null, which no row can have, if the definition has another type by now.
      name: sql<string>`(SELECT name FROM score_definitions WHERE project_id = ${projectId} AND name = ${row.name} AND type = ${row.type})` as unknown as string,
    })
    .onConflictDoUpdate({
      target: [scores.project, scores.id],
      set: {
        value: set('value'),
        category: set('category'),
        comment: set('comment'),
        source: set('source'),
        evaluatorVersion: set('evaluator_version'),
        judgeEventId: set('judge_event_id'),
        createdBy: set('created_by'),
        updatedAt: set('updated_at'),
      },
      setWhere: sql`scores.name = excluded.name AND scores.trace_id = excluded.trace_id AND scores.span_id = excluded.span_id
        AND scores.target_session = excluded.target_session AND scores.item_id = excluded.item_id
        AND (scores.value, scores.category, scores.comment) IS NOT (excluded.value, excluded.category, excluded.comment)`,
    });
}

const noteOf = (
  { organizationId, projectId }: ProjectScope,
  rows: readonly Row[],
  outcomes: readonly string[],
) => ({
  action: 'score.written',
  organizationId,
  projectId,
  after: {
    names: [...new Set(rows.map(({ name }) => name))],
    created: outcomes.filter((one) => one === 'created').length,
    updated: outcomes.filter((one) => one === 'updated').length,
  },
});

/** Deletes a score. Throws AppError 404. */
export async function deleteScore(ctx: Ctx, { scope, actor }: ScoreWriter, id: string): Promise<void> {
  const { organizationId, projectId, no } = scope;
  const isIt = and(eq(scores.project, no), eq(scores.id, id));
  const [found] = await ctx.db.sql.select({ name: scores.name }).from(scores).where(isIt);
  const before = found === undefined ? null : { id, name: found.name };
  const [deleted] = await commitChange(ctx, actor, {
    statements: [ctx.db.sql.delete(scores).where(isIt)],
    audit: [{ action: 'score.deleted', organizationId, projectId, before }],
  });
  if (deleted === 0) throw notFound(`There is no score ${id}`);
}
