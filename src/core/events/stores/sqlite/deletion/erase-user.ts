import { sql } from 'drizzle-orm';
import type { Ctx } from '../../../../../context.ts';
import { AppError } from '../../../../../errors.ts';
import { paced } from '../../../../jobs/index.ts';
import type { ErasureTask } from '../../../deletion.ts';
import { ADVICE } from '../damage/damaged.ts';
import { readEvents } from '../damage/read-events.ts';
import type { Sealer } from '../seal/sealer.ts';
import { insertSegments } from '../seal/store-segments.ts';
import { type EraseSlice, eraseSegmentOp } from './erase-op.ts';
import { eraseRead } from './erase-read.ts';
import { renameErasedOp, type UserOfProject } from './rename-user.ts';

/**
 * See `EventDeletion`. It goes through the segments by number, which is the cursor: a segment that is rewritten or
 * merged gets a higher one, so that none is missed.
 */
export async function eraseUser(
  { ctx, sealer }: { readonly ctx: Ctx; readonly sealer: Sealer },
  user: UserOfProject,
  { signal, cursor: start, effects }: ErasureTask,
): Promise<void> {
  const { project } = user;
  signal.throwIfAborted();
  await sealer.sealAll(project);

  async function eraseNext(cursor: number): Promise<{ next: number | null; done: number }> {
    const { erased, next } = (await readEvents(ctx, eraseRead, [project], { ...user, cursor })).parse();
    const segments = erased === null ? [] : await insertSegments(ctx.db.writer, project, erased.segments);
    const slice: EraseSlice = {
      project,
      finish: erased && { project, segments, batches: [], merged: erased.merged, sums: erased.sums },
      keys: erased?.keys ?? '[]',
      outcome: { events: erased?.events ?? 0, cursor: next ?? cursor },
      effects,
    };
    const isDone = await ctx.db.writer.write(eraseSegmentOp, slice);
    return isDone ? { next, done: slice.outcome.events } : { next: cursor, done: 0 };
  }

  await paced<number>({
    from: start,
    signal,
    slice: (cursor) => sealer.inTurn(() => eraseNext(cursor)),
  });
  await ctx.db.writer.write(renameErasedOp, user);
  await refuseDamaged(ctx, project);
}

/** Damaged events may be the user's. @throws AppError 409 `damaged` */
async function refuseDamaged(ctx: Ctx, project: number): Promise<void> {
  const [found] = await ctx.db.sql.all<{ n: number }>(
    sql`SELECT (SELECT count(*) FROM event_segments WHERE ready > 1 AND ready = 2 AND project = ${project})
      + (SELECT count(*) FROM event_log_damaged WHERE lost = 0 AND project = ${project}) AS n`,
  );
  if ((found?.n ?? 0) > 0)
    throw new AppError(
      409,
      `The user's readable events are erased, but damaged ones may contain more. ${ADVICE}`,
      { code: 'damaged' },
    );
}

/** See `EventDeletion`. The cursor is the number of a segment. */
export async function erasureProgress(ctx: Ctx, project: number, cursor: number): Promise<number> {
  const [row] = await ctx.db.sql.all<{ last: number | null }>(
    sql`SELECT max(no) AS last FROM event_segments WHERE project = ${project} AND ready = 1`,
  );
  return Math.min(1, cursor / ((row?.last ?? 0) + 1));
}
