import { floorToDay } from '../../../../../lib/time.ts';
import type { Job } from '../../../../../module.ts';
import { projects } from '../../../../projects/table.ts';
import { sealerService } from './sealer.ts';
import { unsealedOp } from './unsealed-op.ts';

/**
 * Seals what earlier days left in the log. Ten minutes after the end of a day most of its events have arrived, so
 * that a small project gets about one segment a day.
 */
export const sealLogJob: Job = {
  name: 'events.seal_log',
  summary: 'Move events of earlier days from the log into segments, and merge small segments',
  schedule: '10 */6 * * *',
  run: async (ctx, signal) => {
    const sealer = ctx.use(sealerService);
    const unsealed = await ctx.db.writer.write(unsealedOp, null);
    const today = floorToDay(ctx.now());
    for (const { project } of unsealed) {
      signal.throwIfAborted();
      await sealer.sealAll(project, today);
    }
    let merged = 0;
    for (const { no } of await ctx.db.sql.select({ no: projects.no }).from(projects)) {
      signal.throwIfAborted();
      merged += await sealer.mergeSmall(no);
    }
    return { projects: unsealed.length, merged };
  },
};
