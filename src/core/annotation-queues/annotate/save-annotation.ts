import { sql } from 'drizzle-orm';
import type { Ctx } from '../../../context.ts';
import { badRequest, conflict } from '../../../errors.ts';
import { commitChange } from '../../audit/index.ts';
import { writeScores } from '../../scores/index.ts';
import type { QueueEditor } from '../change-queue.ts';
import type { AnnotationTask } from '../contract.ts';
import type { AnnotationInput } from '../input/contract.ts';
import { findRow, type QueueRow } from '../queries.ts';
import { queueSubject } from '../subject.ts';
import { annotationMarks } from '../table.ts';
import { requireAssigned } from './claim-item.ts';
import { findItem, findTask } from './find-task.ts';
import { scoreIdOf } from './score-id.ts';

type Given = { readonly id: string; readonly no: number; readonly input: AnnotationInput };

/**
 * Scores an item for a person, or leaves it out. Their scores of it are replaced.
 * @throws AppError 400 for missing, unknown and refused values, 403, 404, 409 if a scored item is to be left out
 */
export async function saveAnnotation(
  ctx: Ctx,
  by: QueueEditor,
  { id, no, input }: Given,
): Promise<AnnotationTask> {
  const { scope, actor, userId } = by;
  const queue = await findRow(ctx, scope.projectId, id);
  requireAssigned(queue, userId);
  const item = await findItem(ctx, { id, no });
  const { scores, comment } = input;
  const mark = markOf(ctx, { item, userId, state: scores === undefined ? 'skipped' : 'done' });
  if (scores === undefined) await skip(ctx, by, { id, mark });
  else {
    checkNames(queue, scores);
    const target = { traceId: item.traceId, spanId: item.spanId === '' ? undefined : item.spanId };
    const given = queue.scoreNames.flatMap((name) => {
      const value = scores[name];
      const scoreId = scoreIdOf({ queueId: id, no, userId, name });
      return value === undefined
        ? []
        : [{ name, value, ...target, comment, scoreId, source: 'human' as const, createdBy: userId }];
    });
    await writeScores(ctx, { scope, actor }, given, [mark]);
  }
  return findTask(ctx, scope, { id, no, userId });
}

/** Throws AppError 400. */
function checkNames({ scoreNames, name }: QueueRow, scores: NonNullable<AnnotationInput['scores']>): void {
  const missing = scoreNames.find((one) => scores[one] === undefined);
  if (missing !== undefined) throw badRequest(`scores: ${missing} is missing; give every score of the queue`);
  const unknown = Object.keys(scores).find((one) => !scoreNames.includes(one));
  if (unknown !== undefined)
    throw badRequest(`scores: ${name} does not ask for ${unknown}; it asks for ${scoreNames.join(', ')}`);
}

type Mark = {
  readonly item: Awaited<ReturnType<typeof findItem>>;
  readonly userId: string;
  readonly state: 'done' | 'skipped';
};

/** Marks an item, in place of the claim. What was scored is not left out later. */
function markOf(ctx: Ctx, { item, userId, state }: Mark) {
  const { queueId, no, project, aboutUser, endsAt } = item;
  const updatedAt = new Date(ctx.now());
  return ctx.db.sql
    .insert(annotationMarks)
    .values({ queueId, no, userId, project, state, claimedUntil: null, aboutUser, endsAt, updatedAt })
    .onConflictDoUpdate({
      target: [annotationMarks.queueId, annotationMarks.no, annotationMarks.userId],
      set: { state, claimedUntil: null, updatedAt },
      setWhere: sql`annotation_marks.state <> 'done' OR ${state} = 'done'`,
    });
}

async function skip(
  ctx: Ctx,
  { scope, actor }: QueueEditor,
  { id, mark }: { readonly id: string; readonly mark: ReturnType<typeof markOf> },
): Promise<void> {
  const { organizationId, projectId } = scope;
  const subject = { of: queueSubject, id };
  const [changed] = await commitChange(ctx, actor, {
    statements: [mark],
    audit: [{ action: 'annotation_queue.item_skipped', organizationId, projectId, subject }],
  });
  if (changed === 0) throw conflict('You have scored this item; change its scores instead');
}
