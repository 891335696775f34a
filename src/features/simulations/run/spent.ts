import { sql } from 'drizzle-orm';
import type { Ctx } from '../../../context.ts';

/** Known cost of a run so far, in nano-dollars: of ended conversations, and of the turns of others. */
export async function spentNano(ctx: Ctx, id: string): Promise<number> {
  const [row] = await ctx.db.sql.all<{ nano: number }>(
    sql`SELECT (SELECT coalesce(sum(cost_nano), 0) FROM simulation_conversations WHERE run_id = ${id} AND state = 'done')
      + (SELECT coalesce(sum(coalesce(t.cost_nano, 0) + coalesce(t.user_cost_nano, 0)), 0) FROM simulation_turns AS t
         JOIN simulation_conversations AS c ON c.run_id = t.run_id AND c.no = t.no
         WHERE t.run_id = ${id} AND c.state <> 'done') AS nano`,
  );
  return row?.nano ?? 0;
}
