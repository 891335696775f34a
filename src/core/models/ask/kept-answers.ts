import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Ctx } from '../../../context.ts';
import { eventsOf } from '../../events/index.ts';
import { ofProjects, type ProjectScope } from '../../tenancy/index.ts';
import type { Kept, ModelAnswer } from '../answer.ts';
import { toRecorded } from '../record-call.ts';
import { modelAnswers, modelCalls } from '../table.ts';

/** Days after which an answer that nobody fetched is deleted. */
export const ANSWERS_KEPT_DAYS = 7;

/** Of the ids of events that follow from a key; random. */
const NAMESPACE = '6f0ff2b4-3a6d-4b0e-9a52-3f3d6a1c7e58';

/** A call that is made once per key. */
export type Once = { readonly key: string; readonly attempt: number; readonly eventId: string };

type Row = Pick<typeof modelAnswers.$inferSelect, 'attempt' | 'eventId' | 'startedAt' | 'answer'>;

export async function findKept(ctx: Ctx, { projectId }: ProjectScope, key: string): Promise<Row | null> {
  const { attempt, eventId, startedAt, answer } = modelAnswers;
  const [row = null] = await ctx.db.sql
    .select({ attempt, eventId, startedAt, answer })
    .from(modelAnswers)
    .where(and(eq(modelAnswers.projectId, projectId), eq(modelAnswers.key, key)));
  return row;
}

/** The answer as `callModel` gave it; its figures are read from the event again. Null without one. */
export async function readKept(ctx: Ctx, scope: ProjectScope, row: Row): Promise<ModelAnswer | null> {
  if (row.answer === null) return null;
  const told = JSON.parse(row.answer) as Kept;
  const found = await eventsOf(ctx).event(ofProjects([scope]), {
    id: row.eventId,
    ts: row.startedAt.getTime(),
  });
  return found === null ? null : { ...told, ...toRecorded(found.event) };
}

/** The next attempt of a call with a key. Its event's id follows from the key, so it can only be stored once. */
export function nextAttempt({ projectId }: ProjectScope, key: string, last: Row | null): Once {
  const attempt = (last?.attempt ?? 0) + 1;
  const name = JSON.stringify([projectId, key, attempt]);
  return { key, attempt, eventId: Bun.randomUUIDv5(name, NAMESPACE) };
}

type Attempt = {
  readonly id: string;
  readonly scope: ProjectScope;
  readonly startedAt: number;
  readonly once: Once;
};

/** Notes an attempt in the statement list that reserves its cost, if that was done. */
export const noteAttempt = (ctx: Ctx, { id, scope, startedAt, once }: Attempt) => {
  const { organizationId, projectId } = scope;
  return ctx.db.sql
    .insert(modelAnswers)
    .select(
      sql`SELECT ${organizationId}, ${projectId}, ${once.key}, ${once.attempt}, ${id}, ${startedAt}, NULL WHERE EXISTS (SELECT 1 FROM ${modelCalls} WHERE id = ${id})`,
    )
    .onConflictDoUpdate({
      target: [modelAnswers.projectId, modelAnswers.key],
      set: {
        attempt: sql`excluded.attempt`,
        eventId: sql`excluded.event_id`,
        startedAt: sql`excluded.started_at`,
        answer: null,
      },
    });
};

/**
 * The statement that deletes kept answers, for the transaction in which the caller stores what it needs of them.
 * @param keys as given to `askModel`
 */
export const forgetAnswers = (
  ctx: Ctx,
  { projectId }: Pick<ProjectScope, 'projectId'>,
  keys: readonly string[],
) =>
  ctx.db.sql.delete(modelAnswers).where(
    and(
      eq(modelAnswers.projectId, projectId),
      inArray(
        modelAnswers.key,
        keys.flatMap((key) => [key, repairKey(key)]),
      ),
    ),
  );

/** Key of the call that repairs the output of another. */
export const repairKey = (key: string): string => `${key} repair`;
