import { sql } from 'drizzle-orm';
import type { Ctx } from '../../../context.ts';

/** Known costs of the tasks and evaluators of an experiment, in nano-dollars. */
export async function spentNano(ctx: Ctx, id: string): Promise<number> {
  const [row] = await ctx.db.sql.all<{ nano: number }>(
    sql`SELECT (SELECT coalesce(sum(cost_nano), 0) FROM experiment_runs WHERE experiment_id = ${id})
      + (SELECT coalesce(sum(cost_nano), 0) FROM experiment_scores WHERE experiment_id = ${id}) AS nano`,
  );
  return row?.nano ?? 0;
}
