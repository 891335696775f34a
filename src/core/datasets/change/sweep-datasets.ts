import { and, eq, isNotNull, lt, or, sql } from 'drizzle-orm';
import type { Ctx } from '../../../context.ts';
import type { Slice } from '../../../db/slice.ts';
import { MINUTE_MS } from '../../../lib/time.ts';
import type { Job } from '../../../module.ts';
import { deleteInSlices } from '../../jobs/index.ts';
import { DELETING, datasetItems, datasets, datasetVersions } from '../table.ts';

/** An import writes every few milliseconds; one that has not for this long was cut off. */
const DEAD_MS = MINUTE_MS;

const itemsOf: Slice = {
  table: 'dataset_items',
  prefix: 'dataset_id = ?',
  key: ['no', 'from_version'],
};

/** `datasets.sweep`: ends what a crash interrupted: imports are undone, deletions completed. */
export const sweepJob: Job = {
  name: 'datasets.sweep',
  summary: 'Undo imports and complete deletions of datasets that a crash of the server interrupted',
  schedule: '* * * * *',
  quiet: true,
  run: async (ctx, signal) => {
    const swept = await sweepDatasets(ctx, signal);
    return swept === 0 ? {} : { datasets: swept };
  },
};

/** Completes deletions and undoes dead imports; of one dataset or of all. Returns their number. */
export async function sweepDatasets(ctx: Ctx, signal: AbortSignal, id?: string): Promise<number> {
  const isDead = and(isNotNull(datasets.busy), lt(datasets.busyAt, new Date(ctx.now() - DEAD_MS)));
  const found = await ctx.db.sql
    .select({ id: datasets.id, busy: datasets.busy, version: datasets.version })
    .from(datasets)
    .where(and(or(eq(datasets.busy, DELETING), isDead), id === undefined ? undefined : eq(datasets.id, id)));
  for (const { id: datasetId, busy, version } of found) {
    if (busy === DELETING) await finishDeletion(ctx, datasetId, signal);
    else await undoImport(ctx, { datasetId, name: busy ?? '', version: version + 1 }, signal);
  }
  return found.length;
}

async function finishDeletion(ctx: Ctx, datasetId: string, signal: AbortSignal): Promise<void> {
  await deleteInSlices(itemsOf, { prefix: datasetId }, { ctx, signal });
  await ctx.db.sql.delete(datasetVersions).where(eq(datasetVersions.datasetId, datasetId));
  await ctx.db.sql.delete(datasets).where(and(eq(datasets.id, datasetId), eq(datasets.busy, DELETING)));
}

type DeadImport = { readonly datasetId: string; readonly name: string; readonly version: number };

/** Takes back the rows of a version that was never published. Safe to repeat. */
export async function undoImport(
  ctx: Ctx,
  { datasetId, name, version }: DeadImport,
  signal: AbortSignal,
): Promise<void> {
  // From now on the import itself cannot write any more.
  const mine = Bun.randomUUIDv7();
  await ctx.db.sql
    .update(datasets)
    .set({ busy: mine, busyAt: new Date(ctx.now()) })
    .where(and(eq(datasets.id, datasetId), eq(datasets.busy, name)));
  const ofVersion: Slice = { ...itemsOf, where: 'from_version = ?' };
  await deleteInSlices(ofVersion, { prefix: datasetId, where: version }, { ctx, signal });
  await ctx.db.sql
    .update(datasetItems)
    .set({ toVersion: null })
    .where(and(eq(datasetItems.datasetId, datasetId), eq(datasetItems.toVersion, version)));
  const ofDataset = sql`FROM dataset_items WHERE dataset_id = ${datasetId}`;
  await ctx.db.sql
    .update(datasets)
    .set({
      busy: null,
      busyAt: null,
      lastNo: sql`(SELECT coalesce(max(no), 0) ${ofDataset})`,
      rows: sql`(SELECT count(*) ${ofDataset})`,
      bytes: sql`(SELECT coalesce(sum(bytes), 0) ${ofDataset})`,
    })
    .where(and(eq(datasets.id, datasetId), eq(datasets.busy, mine)));
}
