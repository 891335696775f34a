import { and, asc, eq, isNotNull, lte } from 'drizzle-orm';
import type { Ctx } from '../../context.ts';
import { DAY_MS } from '../../lib/time.ts';
import type { Job } from '../../module.ts';
import type { SubjectQuery } from '../events/index.ts';
import { deleteInSlices } from '../jobs/index.ts';
import { listRetainedProjects } from '../projects/index.ts';
import { projects } from '../projects/table.ts';
import { operatorScope } from '../tenancy/index.ts';
import { scores } from './table.ts';
import { findTargets, lookAgain, targetFields } from './target-fields.ts';

/** Scores of one look at the events. */
const BATCH = 100;
/** Looks of a run; the next run goes on. */
const MAX_LOOKS = 50;

/** Scores often arrive before what they are about. */
export const findTargetsJob: Job = {
  name: 'scores.find_targets',
  summary: 'Look for the traces and sessions of scores that arrived before them',
  schedule: '* * * * *',
  quiet: true,
  run: async (ctx, signal) => {
    let looked = 0;
    let found = 0;
    for (let look = 0; look < MAX_LOOKS && !signal.aborted; look++) {
      const outcome = await lookOnce(ctx);
      if (outcome === null) break;
      looked += outcome.looked;
      found += outcome.found;
    }
    return looked === 0 ? {} : { looked, found };
  },
};

/** Looks for the targets of the scores of one project that wait longest; null if none is due. */
async function lookOnce(ctx: Ctx): Promise<{ looked: number; found: number } | null> {
  const now = ctx.now();
  const isDue = and(isNotNull(scores.nextLook), lte(scores.nextLook, new Date(now)));
  const [first] = await ctx.db.sql
    .select({ project: projects })
    .from(scores)
    .innerJoin(projects, eq(projects.no, scores.project))
    .where(isDue)
    .orderBy(asc(scores.nextLook))
    .limit(1);
  if (first === undefined) return null;
  const scope = operatorScope(first.project);
  const rows = await ctx.db.sql
    .select({
      id: scores.id,
      traceId: scores.traceId,
      spanId: scores.spanId,
      targetSession: scores.targetSession,
      createdAt: scores.createdAt,
    })
    .from(scores)
    .where(and(isDue, eq(scores.project, scope.no)))
    .orderBy(asc(scores.nextLook))
    .limit(BATCH);
  const subjects = await findTargets(ctx, scope, rows.map(targetOf));
  const changes = rows.map(({ id, createdAt }, place) => {
    const subject = subjects[place] ?? null;
    const set =
      subject === null ? { nextLook: lookAgain(createdAt.getTime(), now) } : targetFields(subject, now);
    return ctx.db.sql
      .update(scores)
      .set(set)
      .where(and(eq(scores.project, scope.no), eq(scores.id, id)));
  });
  const [head, ...rest] = changes;
  if (head !== undefined) await ctx.db.sql.batch([head, ...rest]);
  return { looked: rows.length, found: subjects.filter((one) => one !== null).length };
}

const targetOf = (row: { traceId: string; spanId: string; targetSession: string }): SubjectQuery =>
  row.traceId === ''
    ? { sessionId: row.targetSession }
    : { traceId: row.traceId, ...(row.spanId !== '' && { spanId: row.spanId }) };

/** A score goes with the events it is about: they are deleted after the same days, on the same night. */
export const deleteExpiredScores: Job = {
  name: 'scores.delete_expired',
  summary: 'Delete scores of traces and sessions that retention has deleted',
  schedule: '25 3 * * *',
  run: async (ctx, signal) => {
    let deleted = 0;
    const slice = { table: 'scores', key: ['id'], prefix: 'project = ?', where: "at < ? AND item_id = ''" };
    for (const { scope, keptDays } of await listRetainedProjects(ctx)) {
      const values = { prefix: scope.no, where: ctx.now() - keptDays * DAY_MS };
      deleted += await deleteInSlices(slice, values, { ctx, signal });
    }
    return { deleted };
  },
};
