import { and, asc, eq, gt, inArray, type SQL, sql } from 'drizzle-orm';
import type { Ctx } from '../../../context.ts';
import { badRequest, notFound } from '../../../errors.ts';
import { formatInstant } from '../../../lib/time.ts';
import type { Actor } from '../../../module.ts';
import { commitChange } from '../../audit/index.ts';
import { listScores, readAgreement } from '../../scores/index.ts';
import { ofProjects, type ProjectScope } from '../../tenancy/index.ts';
import { scoreIdOf, scorePrefix } from '../annotate/score-id.ts';
import type { QueueItem } from '../contract.ts';
import { findRow, namesOf, type QueueRow } from '../queries.ts';
import { queueSubject } from '../subject.ts';
import { annotationItems, annotationMarks } from '../table.ts';

type ItemRow = typeof annotationItems.$inferSelect;
type MarkRow = typeof annotationMarks.$inferSelect;
type Query = {
  readonly id: string;
  readonly only?: 'open' | 'done' | 'disagreed' | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
};

/** A page of items with what each person said. Throws AppError 400, 404. */
export async function listItems(
  ctx: Ctx,
  scope: ProjectScope,
  { id, only, cursor, limit }: Query,
): Promise<{ items: QueueItem[]; nextCursor: string | null }> {
  const queue = await findRow(ctx, scope.projectId, id);
  const rows = await ctx.db.sql
    .select()
    .from(annotationItems)
    .where(
      and(
        eq(annotationItems.queueId, id),
        gt(annotationItems.no, positionOf(cursor)),
        only === undefined ? undefined : await conditionOf(ctx, scope, { queue, only }),
      ),
    )
    .orderBy(asc(annotationItems.no))
    .limit(limit + 1);
  const page = rows.slice(0, limit);
  return {
    items: await withAnnotations(ctx, scope, { queue, rows: page }),
    nextCursor: rows.length > limit ? String(page.at(-1)?.no ?? '') : null,
  };
}

function positionOf(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  if (!/^\d{1,12}$/.test(cursor)) throw badRequest('cursor was not returned by this endpoint');
  return Number(cursor);
}

async function conditionOf(
  ctx: Ctx,
  scope: ProjectScope,
  { queue, only }: { readonly queue: QueueRow; readonly only: NonNullable<Query['only']> },
): Promise<SQL> {
  if (only === 'disagreed') {
    const asked = { prefix: scorePrefix(queue.id) };
    const { differing } = (await ctx.db.read(readAgreement, ofProjects([scope]), asked)).parse();
    return sql`(trace_id, span_id) IN (SELECT value ->> 0, value ->> 1 FROM json_each(${JSON.stringify(differing)}))`;
  }
  const done = sql`(SELECT count(*) FROM annotation_marks AS m WHERE m.queue_id = ${annotationItems.queueId} AND m.no = ${annotationItems.no} AND m.state = 'done')`;
  return only === 'done' ? sql`${done} >= ${queue.annotators}` : sql`${done} < ${queue.annotators}`;
}

type Page = { readonly queue: QueueRow; readonly rows: readonly ItemRow[] };

async function withAnnotations(ctx: Ctx, scope: ProjectScope, { queue, rows }: Page): Promise<QueueItem[]> {
  const found = await ctx.db.sql
    .select()
    .from(annotationMarks)
    .where(
      and(
        eq(annotationMarks.queueId, queue.id),
        inArray(
          annotationMarks.no,
          rows.map(({ no }) => no),
        ),
      ),
    )
    .orderBy(asc(annotationMarks.no), asc(annotationMarks.updatedAt));
  const marks = found.filter((mark) => isHeld(mark, ctx.now()));
  const [names, said] = await Promise.all([
    namesOf(
      ctx,
      marks.map(({ userId }) => userId),
    ),
    valuesOf(ctx, scope, { queue, marks }),
  ]);
  const byNo = Map.groupBy(marks, ({ no }) => no);
  return rows.map((row) => ({
    no: row.no,
    traceId: row.traceId,
    spanId: row.spanId === '' ? null : row.spanId,
    annotations: (byNo.get(row.no) ?? []).map((mark) => ({
      userId: mark.userId,
      name: names.get(mark.userId) ?? null,
      state: mark.state,
      ...said(mark),
    })),
    createdAt: formatInstant(row.createdAt.getTime()),
  }));
}

/** Whether a mark still says something: a claim that ended does not. */
export const isHeld = ({ state, claimedUntil }: MarkRow, now: number): boolean =>
  state !== 'claimed' || (claimedUntil?.getTime() ?? 0) > now;

type Marks = { readonly queue: QueueRow; readonly marks: readonly MarkRow[] };
type Said = Pick<QueueItem['annotations'][number], 'scores' | 'comment'>;

/** What people said of items: the scores that they gave, as they are now. */
export async function valuesOf(
  ctx: Ctx,
  scope: ProjectScope,
  { queue, marks }: Marks,
): Promise<(mark: MarkRow) => Said> {
  const idsOf = ({ no, userId }: MarkRow): string[] =>
    queue.scoreNames.map((name) => scoreIdOf({ queueId: queue.id, no, userId, name }));
  const ids = marks.filter(({ state }) => state === 'done').flatMap(idsOf);
  const { scores } =
    ids.length === 0 ? { scores: [] } : await listScores(ctx, scope, { ids, limit: ids.length });
  const byId = new Map(scores.map((score) => [score.id, score]));
  return (mark) => {
    const own = idsOf(mark).flatMap((id) => byId.get(id) ?? []);
    return {
      scores: Object.fromEntries(own.map(({ name, value }) => [name, value])),
      comment: own.find(({ comment }) => comment !== null)?.comment ?? null,
    };
  };
}

type Editor = { readonly scope: ProjectScope; readonly actor: Actor };

/** Takes an item out of a queue; its scores stay. Throws AppError 404. */
export async function removeItem(
  ctx: Ctx,
  { scope, actor }: Editor,
  { id, no }: { readonly id: string; readonly no: number },
): Promise<void> {
  const { organizationId, projectId } = scope;
  await findRow(ctx, projectId, id);
  const [removed] = await commitChange(ctx, actor, {
    statements: [
      ctx.db.sql
        .delete(annotationItems)
        .where(and(eq(annotationItems.queueId, id), eq(annotationItems.no, no))),
      ctx.db.sql
        .delete(annotationMarks)
        .where(and(eq(annotationMarks.queueId, id), eq(annotationMarks.no, no))),
    ],
    audit: [
      {
        action: 'annotation_queue.item_removed',
        organizationId,
        projectId,
        subject: { of: queueSubject, id },
      },
    ],
  });
  if (removed === 0) throw notFound(`There is no item ${no} in this queue`);
}
