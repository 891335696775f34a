import { sql } from 'drizzle-orm';
import type { Ctx } from '../../../../../context.ts';
import { paced } from '../../../../jobs/index.ts';
import type { ErasureTask } from '../../../deletion.ts';
import { type EraseSlice, eraseSliceOp, renameUserOp, type UserOfProject } from './erase-op.ts';

/** Smaller slices than for other tables, because event rows are long and each changes many sums. */
const SIZES = { first: 32, least: 1, most: 200 };

/** See `EventDeletion`. */
export async function eraseUser(ctx: Ctx, user: UserOfProject, task: ErasureTask): Promise<void> {
  const { project, userId } = user;
  const { signal, effects } = task;
  await paced<number>({
    from: task.cursor,
    signal,
    sizes: SIZES,
    slice: async (cursor, max) => {
      const request: EraseSlice = { project, userId, cursor, max, effects };
      const { next, events, ms } = await ctx.db.writer.write(eraseSliceOp, request);
      return { next, done: events, ms };
    },
  });
  await ctx.db.writer.write(renameUserOp, user);
}

/** See `EventDeletion`. The cursor is the number of a chunk. */
export async function erasureProgress(ctx: Ctx, project: number, cursor: number): Promise<number> {
  const [row] = await ctx.db.sql.all<{ last: number | null }>(
    sql`SELECT max(chunk) AS last FROM event_chunks WHERE project = ${project}`,
  );
  return Math.min(1, cursor / ((row?.last ?? 0) + 1));
}
