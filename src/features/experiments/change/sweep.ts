import { sql } from 'drizzle-orm';
import type { Ctx } from '../../../context.ts';
import { deleteInSlices } from '../../../core/jobs/index.ts';
import type { Job } from '../../../module.ts';

/** Results of experiments that were deleted: one step in the index for each experiment. */
const orphans = (ctx: Ctx): Promise<{ id: string }[]> =>
  ctx.db.sql.all<{ id: string }>(sql`
    WITH RECURSIVE ids(id) AS (
      SELECT min(experiment_id) FROM experiment_runs
      UNION ALL
      SELECT (SELECT min(experiment_id) FROM experiment_runs WHERE experiment_id > ids.id) FROM ids WHERE id IS NOT NULL)
    SELECT id FROM ids WHERE id IS NOT NULL AND id NOT IN (SELECT id FROM experiments)`);

/** Deletes the results of deleted experiments in slices, scores first. Returns the number of experiments. */
export async function sweepResults(ctx: Ctx, signal: AbortSignal): Promise<number> {
  const left = await orphans(ctx);
  const prefix = 'experiment_id = ?';
  for (const { id } of left) {
    const values = { prefix: id };
    await deleteInSlices({ table: 'experiment_scores', prefix, key: ['no', 'repetition', 'name'] }, values, {
      ctx,
      signal,
    });
    await deleteInSlices({ table: 'experiment_runs', prefix, key: ['no', 'repetition'] }, values, {
      ctx,
      signal,
    });
  }
  return left.length;
}

export const sweepJob: Job = {
  name: 'experiments.sweep',
  summary: 'Complete deletions of experiments that a crash of the server interrupted',
  schedule: '17 3 * * *',
  run: async (ctx, signal) => ({ experiments: await sweepResults(ctx, signal) }),
};
