import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { listRuns } from '../../core/jobs/index.ts';
import type { Job } from '../../module.ts';
import { readSizes, type SizeSample } from './checks/disk.ts';

const MEASURE_JOB = 'system.measure';

/** Sizes in bytes: of the file with its log, and what is free on its disk. */
const measuredSchema = z.object({ bytes: z.number(), free: z.number() });

/** Records the size of the file each hour. The runs of the last eight days are kept: its growth is read from them. */
export const measureJob: Job = {
  name: MEASURE_JOB,
  summary: 'Record the size of the database, from which its growth is forecast',
  schedule: '7 * * * *',
  run: async (ctx): Promise<z.infer<typeof measuredSchema> | Record<string, never>> => {
    if (ctx.db.isRemote) return {};
    const { file, wal, free } = readSizes(ctx.db.path);
    return { bytes: file + wal, free };
  },
};

/** The sizes that the job recorded, oldest first. */
export async function listSamples(ctx: Ctx): Promise<SizeSample[]> {
  const runs = await listRuns(ctx, MEASURE_JOB);
  return runs.toReversed().flatMap(({ startedAt, result }) => {
    const measured = measuredSchema.safeParse(result);
    return measured.success ? [{ at: Date.parse(startedAt), bytes: measured.data.bytes }] : [];
  });
}
