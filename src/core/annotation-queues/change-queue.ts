import { and, eq, sql } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { brokenConstraint } from '../../db/constraint.ts';
import { newId } from '../../db/new-id.ts';
import { badRequest, conflict } from '../../errors.ts';
import type { Actor } from '../../module.ts';
import { commitChange } from '../audit/index.ts';
import { deleteInSlices } from '../jobs/index.ts';
import { listMembers } from '../orgs/index.ts';
import { listDefinitions } from '../scores/index.ts';
import { hasRole, type ProjectScope } from '../tenancy/index.ts';
import type { AddedItems, AnnotationQueue } from './contract.ts';
import { MAX_QUEUES, type NewQueueInput, type QueueInput } from './input/contract.ts';
import { addItems, findItems } from './items/add-items.ts';
import { findQueue, findRow } from './queries.ts';
import { queueSubject } from './subject.ts';
import { annotationItems, annotationMarks, annotationQueues } from './table.ts';

/** Who changes queues. `userId`: a person's id, or `operator`. */
export type QueueEditor = { readonly scope: ProjectScope; readonly actor: Actor; readonly userId: string };

/** Throws AppError 400 for scores without a definition, and for people who cannot annotate. */
async function check(
  ctx: Ctx,
  { organizationId, projectId }: ProjectScope,
  { scoreNames, assignees }: QueueInput,
): Promise<void> {
  const known = new Set((await listDefinitions(ctx, projectId)).map(({ name }) => name));
  const missing = scoreNames.find((name) => !known.has(name));
  if (missing !== undefined)
    throw badRequest(`scoreNames: there is no score ${missing}; define it with POST /v1/score-definitions`);
  if (assignees.length === 0) return;
  const members = await listMembers(ctx, organizationId);
  for (const id of assignees) {
    const member = members.find(({ userId }) => userId === id);
    if (member === undefined) throw badRequest(`assignees: ${id} is not a member of the organization`);
    if (!hasRole(member.role, 'member'))
      throw badRequest(`assignees: ${member.name} is a viewer, who cannot score; choose members`);
  }
}

/** Creates a queue, with its first items if some are given. Throws AppError 400, 404 for an unknown trace, 409. */
export async function createQueue(
  ctx: Ctx,
  by: QueueEditor,
  { items, find, ...input }: NewQueueInput,
): Promise<AnnotationQueue & AddedItems> {
  await check(ctx, by.scope, input);
  const first =
    items === undefined && find === undefined ? [] : await findItems(ctx, by.scope, { items, find });
  const { organizationId, projectId } = by.scope;
  const now = new Date(ctx.now());
  const id = newId('anq', now.getTime());
  const count = sql`(SELECT count(*) FROM annotation_queues WHERE project_id = ${projectId})`;
  const row = {
    ...input,
    // Null, which no row can have, when there are too many.
    id: sql<string>`(SELECT ${id} WHERE ${count} < ${MAX_QUEUES})`,
    organizationId,
    projectId,
    createdBy: by.userId,
    createdAt: now,
    updatedAt: now,
  };
  const insert = ctx.db.sql.insert(annotationQueues).values(row);
  await commit(ctx, by, {
    statements: [insert],
    note: { action: 'annotation_queue.created', id, name: input.name },
  });
  const added = first.length === 0 ? { added: 0, known: 0 } : await addItems(ctx, by, { id, items: first });
  return { ...(await findQueue(ctx, by.scope, { id, userId: by.userId })), ...added };
}

/** Changes all but the items. Throws AppError 400, 404, 409. */
export async function changeQueue(
  ctx: Ctx,
  by: QueueEditor,
  { id, input }: { readonly id: string; readonly input: QueueInput },
): Promise<AnnotationQueue> {
  await findRow(ctx, by.scope.projectId, id);
  await check(ctx, by.scope, input);
  const update = ctx.db.sql
    .update(annotationQueues)
    .set({ ...input, updatedAt: new Date(ctx.now()) })
    .where(isQueue(by.scope, id));
  await commit(ctx, by, {
    statements: [update],
    note: { action: 'annotation_queue.updated', id, name: input.name },
  });
  return findQueue(ctx, by.scope, { id, userId: by.userId });
}

/** Deletes a queue; a repetition completes what was interrupted. Scores stay. Throws AppError 404. */
export async function deleteQueue(ctx: Ctx, by: QueueEditor, id: string): Promise<void> {
  await findRow(ctx, by.scope.projectId, id);
  const { signal } = new AbortController();
  const task = { ctx, signal };
  const slice = { key: ['no'], prefix: 'queue_id = ?' };
  await deleteInSlices({ ...slice, table: 'annotation_items' }, { prefix: id }, task);
  const marks = { ...slice, table: 'annotation_marks', key: ['no', 'user_id'] };
  await deleteInSlices(marks, { prefix: id }, task);
  await commit(ctx, by, {
    statements: [
      ctx.db.sql.delete(annotationQueues).where(isQueue(by.scope, id)),
      // Those that were added since.
      ctx.db.sql.delete(annotationItems).where(eq(annotationItems.queueId, id)),
      ctx.db.sql.delete(annotationMarks).where(eq(annotationMarks.queueId, id)),
    ],
    note: { action: 'annotation_queue.deleted', id, name: '' },
  });
}

const isQueue = ({ projectId }: ProjectScope, id: string) =>
  and(eq(annotationQueues.projectId, projectId), eq(annotationQueues.id, id));

type Change = {
  readonly statements: Parameters<typeof commitChange>[2]['statements'];
  readonly note: { readonly action: string; readonly id: string; readonly name: string };
};

async function commit(ctx: Ctx, { scope, actor }: QueueEditor, { statements, note }: Change): Promise<void> {
  const { organizationId, projectId } = scope;
  const { action, id, name } = note;
  const subject = { of: queueSubject, id };
  try {
    await commitChange(ctx, actor, { statements, audit: [{ action, organizationId, projectId, subject }] });
  } catch (error) {
    const columns = brokenConstraint(error)?.columns ?? [];
    if (columns.includes('annotation_queues.name'))
      throw conflict(`There is an annotation queue named ${name}; choose another name`);
    if (columns.includes('annotation_queues.id'))
      throw conflict(`A project has at most ${MAX_QUEUES} annotation queues; delete one first`);
    throw error;
  }
}
