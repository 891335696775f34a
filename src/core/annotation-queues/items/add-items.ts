import { eq, sql } from 'drizzle-orm';
import type { Ctx } from '../../../context.ts';
import { badRequest, conflict, notFound } from '../../../errors.ts';
import { DAY_MS } from '../../../lib/time.ts';
import type { Actor } from '../../../module.ts';
import { commitChange } from '../../audit/index.ts';
import { parseFilter } from '../../events/filter/contract.ts';
import { eventsOf, isSampled } from '../../events/index.ts';
import { ofProject, type ProjectScope } from '../../tenancy/index.ts';
import type { AddedItems } from '../contract.ts';
import { type FoundItems, type ItemsInput, MAX_ITEMS } from '../input/contract.ts';
import { findRow } from '../queries.ts';
import { queueSubject } from '../subject.ts';
import { annotationItems, annotationQueues } from '../table.ts';

/** A trace, or a span of it (else ''). `endsAt` in epoch milliseconds. */
type NewItem = {
  readonly traceId: string;
  readonly spanId: string;
  readonly aboutUser: string;
  readonly endsAt: number;
};

const DEFAULT_DAYS = 7;
const PAGE = 200;
/** Traces that a filter with a small sample looks at. */
const MAX_LOOKED = 50_000;
const SUBJECTS = 100;
/** The product's own calls are not what people score. */
const NOT_OWN = { field: 'environment', not: true, values: ['spanledger'] } as const;

/** Looks items up in the events. Throws AppError 404 for a trace or span that is not stored. */
export const findItems = (
  ctx: Ctx,
  scope: ProjectScope,
  { items, find }: ItemsInput,
): Promise<readonly NewItem[]> =>
  items === undefined ? findTraces(ctx, scope, find) : lookUp(ctx, scope, items);

async function lookUp(
  ctx: Ctx,
  scope: ProjectScope,
  items: NonNullable<ItemsInput['items']>,
): Promise<NewItem[]> {
  const found: NewItem[] = [];
  for (let from = 0; from < items.length; from += SUBJECTS) {
    const of = items.slice(from, from + SUBJECTS);
    const subjects = await eventsOf(ctx).subjects(ofProject(scope), { of, content: false });
    for (const [place, { traceId, spanId }] of of.entries()) {
      const subject = subjects[place] ?? null;
      if (subject === null)
        throw notFound(
          `items.${from + place}: there is no ${spanId === undefined ? `trace ${traceId}` : `span ${spanId} of ${traceId}`} in this project`,
        );
      found.push({ traceId, spanId: spanId ?? '', aboutUser: subject.userId ?? '', endsAt: subject.to });
    }
  }
  return found;
}

async function findTraces(ctx: Ctx, scope: ProjectScope, find: FoundItems | undefined): Promise<NewItem[]> {
  if (find === undefined) return [];
  const { filter, start, end, sampleRate, limit } = find;
  const to = end === undefined ? ctx.now() + 1 : Date.parse(end);
  const from = start === undefined ? to - DEFAULT_DAYS * DAY_MS : Date.parse(start);
  if (from >= to) throw badRequest('find.start: must be before end');
  const where = [...parseFilter(filter), NOT_OWN];
  const found: NewItem[] = [];
  let cursor: string | null = null;
  for (let looked = 0; looked < MAX_LOOKED && found.length < limit; ) {
    const page = await eventsOf(ctx).traces(ofProject(scope), {
      filters: { where },
      calls: false,
      window: { from, to },
      cursor,
      limit: PAGE,
    });
    const { traces, nextCursor } = page.parse();
    looked += traces.length;
    for (const { trace_id: traceId, user_id, end: last } of traces)
      if (found.length < limit && isSampled(traceId, sampleRate))
        found.push({ traceId, spanId: '', aboutUser: user_id ?? '', endsAt: Date.parse(last) });
    if (nextCursor === null) break;
    cursor = nextCursor;
  }
  return found;
}

type Editor = { readonly scope: ProjectScope; readonly actor: Actor };

/** Adds items at the end, those that the queue does not have. Throws AppError 404, 409 for too many. */
export async function addItems(
  ctx: Ctx,
  { scope, actor }: Editor,
  { id, items }: { readonly id: string; readonly items: readonly NewItem[] },
): Promise<AddedItems> {
  const { organizationId, projectId, no } = scope;
  await findRow(ctx, projectId, id);
  const now = ctx.now();
  const rows = items.map(({ traceId, spanId, aboutUser, endsAt }) => [traceId, spanId, aboutUser, endsAt]);
  const room = sql`(SELECT count(*) FROM annotation_items WHERE queue_id = ${id}) + ${rows.length} <= ${MAX_ITEMS}`;
  const lastNo = sql`(SELECT last_no FROM annotation_queues WHERE id = ${id})`;
  const insert = ctx.db.sql
    .insert(annotationItems)
    .select(
      sql`SELECT ${id}, ${lastNo} + 1 + key, ${no}, value ->> 0, value ->> 1, value ->> 2, value ->> 3, ${now}
        FROM json_each(${JSON.stringify(rows)}) WHERE ${room} AND ${lastNo} IS NOT NULL`,
    )
    .onConflictDoNothing({
      target: [annotationItems.queueId, annotationItems.traceId, annotationItems.spanId],
    });
  const counted = ctx.db.sql
    .update(annotationQueues)
    .set({ lastNo: sql`last_no + ${rows.length}` })
    .where(eq(annotationQueues.id, id));
  const [added = 0] = await commitChange(ctx, actor, {
    statements: [insert, counted],
    audit: [
      {
        action: 'annotation_queue.items_added',
        organizationId,
        projectId,
        subject: { of: queueSubject, id },
      },
    ],
  });
  const isKnown = added === 0 && rows.length > 0;
  if (
    isKnown &&
    (await ctx.db.sql.$count(annotationItems, eq(annotationItems.queueId, id))) + rows.length > MAX_ITEMS
  )
    throw conflict(`A queue has at most ${MAX_ITEMS.toLocaleString('en-US')} items; make another one`);
  return { added, known: rows.length - added };
}
