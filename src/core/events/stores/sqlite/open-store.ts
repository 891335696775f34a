import type { Ctx } from '../../../../context.ts';
import { sqlOp } from '../../../../db/sql-op.ts';
import type { EventStore } from '../../store.ts';
import { createChanges } from './changes/change-events.ts';
import { deleteBefore } from './deletion/delete-before.ts';
import { eraseUser, erasureProgress } from './deletion/erase-user.ts';
import { purge } from './deletion/purge.ts';
import { createRecord } from './ingest/record-batch.ts';
import { openReads } from './open-reads.ts';
import { createPriceIds } from './rows/price-ids.ts';

/** With more rows pending, the writer is busy enough. */
const ENOUGH_ROWS = 4_000;

/** The event store in the context's libSQL file. */
export function openSqliteStore(ctx: Ctx): EventStore {
  const prices = createPriceIds(ctx);
  return {
    ...openReads(ctx),
    record: createRecord(ctx, prices),
    ...createChanges(ctx, prices),
    hasRoom: () => ctx.db.writer.pending() < ENOUGH_ROWS,
    async health() {
      await ctx.db.writer.write(sqlOp, [{ sql: 'SELECT 1', args: [] }]);
    },
    deleteBefore: ({ no }, time, task) => deleteBefore(no, time, { ctx, ...task }),
    purge: ({ no }, task) => purge(no, { ctx, ...task }),
    eraseUser: ({ no: project }, user, task) => eraseUser(ctx, { project, ...user }, task),
    erasureProgress: ({ no }, cursor) => erasureProgress(ctx, no, cursor),
  };
}
