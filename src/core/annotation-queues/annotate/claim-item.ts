import { and, desc, eq, sql } from 'drizzle-orm';
import type { Ctx } from '../../../context.ts';
import { AppError } from '../../../errors.ts';
import { MINUTE_MS } from '../../../lib/time.ts';
import type { ProjectScope } from '../../tenancy/index.ts';
import { type AnnotationTask, CLAIM_MINUTES } from '../contract.ts';
import { findRow, type QueueRow } from '../queries.ts';
import { annotationMarks } from '../table.ts';
import { findTask } from './find-task.ts';

/** Throws AppError 403 for somebody who is not asked to annotate. */
export function requireAssigned({ assignees, name }: QueueRow, userId: string): void {
  if (assignees.length > 0 && !assignees.includes(userId))
    throw new AppError(
      403,
      `You are not among the people who annotate ${name}; a member can add you to the queue`,
    );
}

/**
 * Takes the next item for a person: the one they hold, or the first that fewer people than the queue asks for have
 * annotated or hold. One statement, so that two people never take the last place of an item.
 * @returns null if no item waits
 * @throws AppError 403, 404
 */
export async function claimItem(
  ctx: Ctx,
  scope: ProjectScope,
  { id, userId }: { readonly id: string; readonly userId: string },
): Promise<AnnotationTask | null> {
  const queue = await findRow(ctx, scope.projectId, id);
  requireAssigned(queue, userId);
  const now = ctx.now();
  const until = now + CLAIM_MINUTES * MINUTE_MS;
  const ofItem = sql`m.queue_id = i.queue_id AND m.no = i.no`;
  const others = sql`(SELECT count(*) FROM annotation_marks AS m WHERE ${ofItem} AND m.user_id <> ${userId}
    AND (m.state = 'done' OR (m.state = 'claimed' AND m.claimed_until > ${now})))`;
  const own = sql`(SELECT m.state FROM annotation_marks AS m WHERE ${ofItem} AND m.user_id = ${userId})`;
  await ctx.db.sql
    .insert(annotationMarks)
    .select(
      sql`SELECT i.queue_id, i.no, ${userId}, i.project, 'claimed', ${until}, i.about_user, i.ends_at, ${now}
        FROM annotation_items AS i
        WHERE i.queue_id = ${id} AND coalesce(${own}, 'claimed') = 'claimed' AND ${others} < ${queue.annotators}
        ORDER BY ${own} IS NULL, i.no LIMIT 1`,
    )
    .onConflictDoUpdate({
      target: [annotationMarks.queueId, annotationMarks.no, annotationMarks.userId],
      set: { claimedUntil: sql`excluded.claimed_until`, updatedAt: sql`excluded.updated_at` },
      setWhere: sql`annotation_marks.state = 'claimed'`,
    });
  const isMine = and(
    eq(annotationMarks.queueId, id),
    eq(annotationMarks.userId, userId),
    eq(annotationMarks.state, 'claimed'),
  );
  const [mark] = await ctx.db.sql
    .select()
    .from(annotationMarks)
    .where(and(isMine, eq(annotationMarks.claimedUntil, new Date(until))))
    .orderBy(desc(annotationMarks.updatedAt))
    .limit(1);
  return mark === undefined ? null : findTask(ctx, scope, { id, no: mark.no, userId });
}
