import { eq, sql } from 'drizzle-orm';
import type { Ctx } from '../../../context.ts';
import { type ItemsQuery, listItems } from '../../../core/datasets/index.ts';
import { ofProjects, type ProjectScope } from '../../../core/tenancy/index.ts';
import type { ExperimentRow } from '../queries.ts';
import { experimentRuns, experiments } from '../table.ts';

/** Items whose runs are made in one transaction. */
const PAGE = 100;

/** Makes the runs of all items, in slices that a crash may interrupt, and starts the experiment. */
export async function prepareRuns(
  ctx: Ctx,
  scope: ProjectScope,
  { experiment, signal }: { readonly experiment: ExperimentRow; readonly signal: AbortSignal },
): Promise<void> {
  const { id, datasetId, datasetVersion, split, repetitions } = experiment;
  let after: number | null = experiment.preparedNo;
  while (after !== null) {
    signal.throwIfAborted();
    const query: ItemsQuery = {
      datasetId,
      version: datasetVersion,
      isNewest: false,
      split: split ?? undefined,
      after,
      limit: PAGE,
    };
    const { items, next } = (await ctx.db.read(listItems, ofProjects([scope]), query)).parse();
    const rows = items.flatMap(({ no, id: itemId, userId }) =>
      Array.from({ length: repetitions }, (_, i) => ({
        experimentId: id,
        project: scope.no,
        no,
        repetition: i + 1,
        itemId,
        userId,
        state: 'waiting' as const,
      })),
    );
    const done = { preparedNo: next ?? items.at(-1)?.no ?? after };
    await ctx.db.sql.batch([
      ctx.db.sql.update(experiments).set(done).where(eq(experiments.id, id)),
      // A row has 15 values, and a statement takes up to 32,766.
      ...(rows.length === 0 ? [] : [ctx.db.sql.insert(experimentRuns).values(rows).onConflictDoNothing()]),
    ]);
    after = next;
  }
  const made = sql`(SELECT count(*) FROM experiment_runs WHERE experiment_id = ${id})`;
  await ctx.db.sql
    .update(experiments)
    .set({ status: 'running', planned: sql`${made}` })
    .where(sql`${experiments.id} = ${id} AND ${experiments.status} = 'preparing'`);
}
