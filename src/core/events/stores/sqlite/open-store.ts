import type { Ctx } from '../../../../context.ts';
import { sqlOp } from '../../../../db/sql-op.ts';
import type { EventStore } from '../../store.ts';
import { createChanges } from './changes/change-events.ts';
import { openDamage } from './damage/stored-damage.ts';
import { deleteBefore } from './deletion/delete-before.ts';
import { eraseUser, erasureProgress } from './deletion/erase-user.ts';
import { purge } from './deletion/purge.ts';
import { createPriceIds } from './ingest/price-ids.ts';
import { createRecord } from './ingest/record-batch.ts';
import { openLists } from './open-lists.ts';
import { openMetrics } from './open-metrics.ts';
import { sealerService } from './seal/sealer.ts';

/** With more rows pending, the writer is busy enough. */
const ENOUGH_ROWS = 4_000;

/** The event store of a log of batches and sealed segments, in the context's libSQL file. */
export function openSqliteStore(ctx: Ctx): EventStore {
  const prices = createPriceIds(ctx);
  const sealer = ctx.use(sealerService);
  return {
    ...openLists(ctx),
    ...openMetrics(ctx),
    ...openDamage(ctx),
    record: createRecord(ctx, prices, sealer.stored),
    ...createChanges(ctx, prices, sealer),
    hasRoom: () => sealer.hasRoom() && ctx.db.writer.pending() < ENOUGH_ROWS,
    unsealed: () => sealer.unsealed(),
    async health() {
      await ctx.db.writer.write(sqlOp, [{ sql: 'SELECT 1', args: [] }]);
    },
    deleteBefore: ({ no: project }, time, task) => deleteBefore({ project, time }, { ctx, sealer, ...task }),
    purge: ({ no }, task) => purge(no, { ctx, sealer, ...task }),
    eraseUser: ({ no: project }, user, task) => eraseUser({ ctx, sealer }, { project, ...user }, task),
    erasureProgress: ({ no }, cursor) => erasureProgress(ctx, no, cursor),
  };
}
