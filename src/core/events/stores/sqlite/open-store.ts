import type { Ctx } from '../../../../context.ts';
import type { EventStore } from '../../store.ts';

/** The store of events in the libSQL file that the context has open. */
export function openSqliteStore(ctx: Ctx): EventStore {
  return {
    async health() {
      await ctx.db.writer.write('sql', [{ sql: 'SELECT 1', args: [] }]);
    },
  };
}
