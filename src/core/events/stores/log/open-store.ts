import type { Ctx } from '../../../../context.ts';
import { sqlOp } from '../../../../db/sql-op.ts';
import type { EventStore } from '../../store.ts';
import { createPriceIds } from '../sqlite/rows/price-ids.ts';
import { createChanges } from './changes/change-events.ts';
import { createRecord } from './ingest/record-batch.ts';
import { openLists } from './open-lists.ts';
import { openMetrics } from './open-metrics.ts';
import { sealerService } from './seal/sealer.ts';

/** With more rows pending, the writer is busy enough. */
const ENOUGH_ROWS = 4_000;

/** The event store of a log of batches and sealed segments, in the context's libSQL file. */
export function openLogStore(ctx: Ctx): EventStore {
  const prices = createPriceIds(ctx);
  const sealer = ctx.use(sealerService);
  const missing = (): never => {
    throw new Error('not there yet');
  };
  return {
    ...openLists(ctx),
    ...openMetrics(ctx),
    record: createRecord(ctx, prices, sealer.stored),
    ...createChanges(ctx, prices, sealer),
    hasRoom: () => sealer.hasRoom() && ctx.db.writer.pending() < ENOUGH_ROWS,
    async health() {
      await ctx.db.writer.write(sqlOp, [{ sql: 'SELECT 1', args: [] }]);
    },
    deleteBefore: missing,
    purge: missing,
    eraseUser: missing,
    erasureProgress: missing,
  };
}
