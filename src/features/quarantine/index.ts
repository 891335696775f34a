import type { Module } from '../../module.ts';
import { listQuarantine } from './queries.ts';
import { listRoute, replayRoute } from './routes.ts';

export const quarantineModule: Module = {
  name: 'quarantine',
  tables: [
    {
      name: 'quarantined_events',
      scope: 'project',
      by: 'project',
      key: ['received_at', 'id'],
      readable: true,
      // So long refused events can be corrected and replayed.
      retention: { ends: 'received_at', keptDays: 7 },
      eraseUser: {
        deleteWhere: 'EXISTS (SELECT 1 FROM json_tree(body) WHERE atom = ?)',
        receipt: 'refusedLines',
      },
    },
  ],
  routes: [listRoute, replayRoute],
  reads: [listQuarantine],
};
