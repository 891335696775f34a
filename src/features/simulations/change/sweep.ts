import { sql } from 'drizzle-orm';
import type { Ctx } from '../../../context.ts';
import { deleteInSlices } from '../../../core/jobs/index.ts';
import type { Job } from '../../../module.ts';

/** Runs that were deleted and whose conversations are left: one step in the index for each run. */
const orphans = (ctx: Ctx): Promise<{ id: string }[]> =>
  ctx.db.sql.all<{ id: string }>(sql`
    WITH RECURSIVE ids(id) AS (
      SELECT min(run_id) FROM simulation_conversations
      UNION ALL
      SELECT (SELECT min(run_id) FROM simulation_conversations WHERE run_id > ids.id) FROM ids WHERE id IS NOT NULL)
    SELECT id FROM ids WHERE id IS NOT NULL AND id NOT IN (SELECT id FROM simulation_runs)`);

/** Deletes transcripts of deleted runs in slices, turns first. Returns the number of runs. */
export async function sweepRuns(ctx: Ctx, signal: AbortSignal): Promise<number> {
  const left = await orphans(ctx);
  const prefix = 'run_id = ?';
  for (const { id } of left) {
    const values = { prefix: id };
    await deleteInSlices({ table: 'simulation_turns', prefix, key: ['no', 'turn'] }, values, { ctx, signal });
    await deleteInSlices({ table: 'simulation_conversations', prefix, key: ['no'] }, values, { ctx, signal });
  }
  return left.length;
}

export const sweepJob: Job = {
  name: 'simulations.sweep',
  summary: 'Complete deletions of simulations that a crash of the server interrupted',
  schedule: '23 3 * * *',
  run: async (ctx, signal) => ({ runs: await sweepRuns(ctx, signal) }),
};
