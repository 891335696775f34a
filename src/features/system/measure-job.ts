import { z } from 'zod';
import type { Job } from '../../module.ts';
import { readSizes } from './checks/disk.ts';

export const MEASURE_JOB = 'system.measure';

/** Sizes in bytes: of the file with its log, and what is free on its disk. */
export const measuredSchema = z.object({ bytes: z.number(), free: z.number() });

/** Records the size of the file each hour. The runs of the last eight days are kept: its growth is read from them. */
export const measureJob: Job = {
  name: MEASURE_JOB,
  summary: 'Record the size of the database, from which its growth is forecast',
  schedule: '7 * * * *',
  run: async (ctx): Promise<z.infer<typeof measuredSchema>> => {
    const { file, wal, free } = readSizes(ctx.db.path);
    return { bytes: file + wal, free };
  },
};
