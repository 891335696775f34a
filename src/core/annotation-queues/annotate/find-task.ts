import { and, asc, desc, eq, gt, lt } from 'drizzle-orm';
import type { Ctx } from '../../../context.ts';
import { notFound } from '../../../errors.ts';
import { formatInstant } from '../../../lib/time.ts';
import { eventsOf } from '../../events/index.ts';
import { ofProject, type ProjectScope } from '../../tenancy/index.ts';
import type { AnnotationTask } from '../contract.ts';
import { isHeld, valuesOf } from '../items/list-items.ts';
import { findRow } from '../queries.ts';
import { annotationItems, annotationMarks } from '../table.ts';

/** A person and an item of a queue. */
export type Task = { readonly id: string; readonly no: number; readonly userId: string };

/** Throws AppError 404. */
export async function findItem(
  ctx: Ctx,
  { id, no }: Pick<Task, 'id' | 'no'>,
): Promise<typeof annotationItems.$inferSelect> {
  const [item] = await ctx.db.sql
    .select()
    .from(annotationItems)
    .where(and(eq(annotationItems.queueId, id), eq(annotationItems.no, no)));
  if (item === undefined) throw notFound(`There is no item ${no} in this queue`);
  return item;
}

/** An item as one person sees it: what to look at, and what they said. Throws AppError 404. */
export async function findTask(ctx: Ctx, scope: ProjectScope, task: Task): Promise<AnnotationTask> {
  const { id, no, userId } = task;
  const queue = await findRow(ctx, scope.projectId, id);
  const item = await findItem(ctx, task);
  const { traceId } = item;
  const target = item.spanId === '' ? { traceId } : { traceId, spanId: item.spanId };
  const [around, [found], [subject]] = await Promise.all([
    neighbours(ctx, task),
    ctx.db.sql
      .select()
      .from(annotationMarks)
      .where(
        and(eq(annotationMarks.queueId, id), eq(annotationMarks.no, no), eq(annotationMarks.userId, userId)),
      ),
    eventsOf(ctx).subjects(ofProject(scope), { of: [target], content: false }),
  ]);
  const mark = found !== undefined && isHeld(found, ctx.now()) ? found : null;
  const said = await valuesOf(ctx, scope, { queue, marks: mark === null ? [] : [mark] });
  // Where the root of a trace is no call, its last call is what was said.
  const event = subject?.root.kind === 'llm' ? subject.root : (subject?.call ?? subject?.root);
  return {
    no,
    traceId,
    spanId: item.spanId === '' ? null : item.spanId,
    event: event === undefined ? null : { id: event.event_id, timestamp: event.timestamp },
    ...around,
    state: mark?.state ?? null,
    claimedUntil:
      mark?.state === 'claimed' && mark.claimedUntil !== null
        ? formatInstant(mark.claimedUntil.getTime())
        : null,
    ...(mark === null ? { scores: {}, comment: null } : said(mark)),
  };
}

async function neighbours(ctx: Ctx, { id, no }: Task): Promise<Pick<AnnotationTask, 'previous' | 'next'>> {
  const of = (isBefore: boolean) =>
    ctx.db.sql
      .select({ no: annotationItems.no })
      .from(annotationItems)
      .where(
        and(
          eq(annotationItems.queueId, id),
          isBefore ? lt(annotationItems.no, no) : gt(annotationItems.no, no),
        ),
      )
      .orderBy(isBefore ? desc(annotationItems.no) : asc(annotationItems.no))
      .limit(1);
  const [[previous], [next]] = await Promise.all([of(true), of(false)]);
  return { previous: previous?.no ?? null, next: next?.no ?? null };
}
