import type { Ctx } from '../../../../context.ts';
import type { EventStore } from '../../store.ts';
import { deleteBefore } from './deletion/delete-before.ts';
import { eraseUser, erasureProgress } from './deletion/erase-user.ts';
import { purge } from './deletion/purge.ts';

/** The store of events in the libSQL file that the context has open. */
export function openSqliteStore(ctx: Ctx): EventStore {
  return {
    async health() {
      await ctx.db.writer.write('sql', [{ sql: 'SELECT 1', args: [] }]);
    },
    deleteBefore: (project, time, task) => deleteBefore(project, time, { ctx, ...task }),
    purge: (project, task) => purge(project, { ctx, ...task }),
    eraseUser: (user, task) => eraseUser(ctx, user, task),
    erasureProgress: (project, cursor) => erasureProgress(ctx, project, cursor),
  };
}
