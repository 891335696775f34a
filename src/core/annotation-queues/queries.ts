import { and, desc, eq, inArray } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { formatInstant } from '../../lib/time.ts';
import { users } from '../orgs/table.ts';
import { listDefinitions, readAgreement } from '../scores/index.ts';
import { ofProjects, type ProjectScope } from '../tenancy/index.ts';
import { scorePrefix } from './annotate/score-id.ts';
import type { AnnotationQueue, QueueDetail } from './contract.ts';
import { type QueueCounts, readCounts } from './items/read-counts.ts';
import { annotationQueues } from './table.ts';

export type QueueRow = typeof annotationQueues.$inferSelect;

/** Throws AppError 404. */
export async function findRow(ctx: Ctx, projectId: string, id: string): Promise<QueueRow> {
  const [row] = await ctx.db.sql
    .select()
    .from(annotationQueues)
    .where(and(eq(annotationQueues.projectId, projectId), eq(annotationQueues.id, id)));
  if (row === undefined) throw notFound(`There is no annotation queue ${id}`);
  return row;
}

/** The queues of a project, newest first, with the part of a person. */
export async function listQueues(ctx: Ctx, scope: ProjectScope, userId: string): Promise<AnnotationQueue[]> {
  const rows = await ctx.db.sql
    .select()
    .from(annotationQueues)
    .where(eq(annotationQueues.projectId, scope.projectId))
    .orderBy(desc(annotationQueues.id));
  return (await withCounts(ctx, scope, { rows, userId })).map(({ queue }) => queue);
}

/** Throws AppError 404. */
export async function findQueue(
  ctx: Ctx,
  scope: ProjectScope,
  { id, userId }: { readonly id: string; readonly userId: string },
): Promise<AnnotationQueue> {
  const rows = [await findRow(ctx, scope.projectId, id)];
  const [found] = await withCounts(ctx, scope, { rows, userId });
  if (found === undefined) throw notFound(`There is no annotation queue ${id}`);
  return found.queue;
}

/** A queue with the agreement of its annotators. Throws AppError 404. */
export async function findDetail(
  ctx: Ctx,
  scope: ProjectScope,
  { id, userId }: { readonly id: string; readonly userId: string },
): Promise<QueueDetail> {
  const row = await findRow(ctx, scope.projectId, id);
  const [[found], definitions, agreement] = await Promise.all([
    withCounts(ctx, scope, { rows: [row], userId }),
    listDefinitions(ctx, scope.projectId),
    ctx.db.read(readAgreement, ofProjects([scope]), { prefix: scorePrefix(id) }),
  ]);
  if (found === undefined) throw notFound(`There is no annotation queue ${id}`);
  return {
    ...found.queue,
    definitions: row.scoreNames.flatMap((name) => definitions.find((one) => one.name === name) ?? []),
    people: found.counts.people.map((one) => ({ ...one, name: found.names.get(one.userId) ?? null })),
    agreement: [...agreement.parse().scores],
  };
}

type Counted = {
  readonly queue: AnnotationQueue;
  readonly counts: QueueCounts;
  readonly names: ReadonlyMap<string, string>;
};

async function withCounts(
  ctx: Ctx,
  scope: ProjectScope,
  { rows, userId }: { readonly rows: readonly QueueRow[]; readonly userId: string },
): Promise<Counted[]> {
  if (rows.length === 0) return [];
  const queues = rows.map(({ id, annotators }) => ({ id, annotators }));
  const counted = (await ctx.db.read(readCounts, ofProjects([scope]), { queues, userId })).parse();
  const names = await namesOf(ctx, [
    ...rows.flatMap(({ createdBy, assignees }) => [createdBy, ...assignees]),
    ...counted.flatMap(({ people }) => people.map((one) => one.userId)),
  ]);
  return rows.flatMap((row, place) => {
    const counts = counted[place];
    return counts === undefined ? [] : [{ queue: toQueue(row, counts, names), counts, names }];
  });
}

/** Names of people by their ids. */
export async function namesOf(ctx: Ctx, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const found = await ctx.db.sql
    .select({ id: users.id, name: users.name })
    .from(users)
    .where(inArray(users.id, [...new Set(ids)]));
  return new Map(found.map(({ id, name }) => [id, name]));
}

/** The author of what the operator makes on the command line. */
const OPERATOR = 'operator';

function toQueue(row: QueueRow, counts: QueueCounts, names: ReadonlyMap<string, string>): AnnotationQueue {
  const { id, name, instructions, scoreNames, assignees, annotators, createdBy } = row;
  const { items, done, annotations, mine } = counts;
  return {
    id,
    name,
    instructions,
    scoreNames: [...scoreNames],
    assignees: assignees.map((userId) => ({ userId, name: names.get(userId) ?? null })),
    annotators,
    items,
    done,
    annotations,
    mine,
    createdBy: names.get(createdBy) ?? (createdBy === OPERATOR ? 'Operator' : null),
    createdAt: formatInstant(row.createdAt.getTime()),
    updatedAt: formatInstant(row.updatedAt.getTime()),
  };
}
