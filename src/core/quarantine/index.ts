import type { Module } from '../../module.ts';
import { keepLinesEffect } from './keep-lines.ts';
import { countReasons, listErrors, listQuarantine, listReplayable } from './queries.ts';
import { releaseLineEffect } from './release-line.ts';
import { dismissRoute, listRoute, reasonsRoute, replayManyRoute, replayRoute } from './routes.ts';

/** The quarantine: keeps lines that ingest refused, so that they can be listed, corrected and replayed. */
export const quarantineModule: Module = {
  name: 'quarantine',
  tables: [
    {
      name: 'quarantined_events',
      scope: 'project',
      by: 'project',
      key: ['received_at', 'id'],
      readable: true,
      // Refused events can be corrected and replayed for 7 days.
      retention: { ends: 'received_at', keptDays: 7 },
      eraseUser: {
        deleteWhere: 'EXISTS (SELECT 1 FROM json_tree(body) WHERE atom = ?)',
        receipt: 'refusedLines',
      },
    },
    {
      name: 'quarantine_drops',
      scope: 'project',
      by: 'project',
      key: ['last_at'],
      readable: true,
      retention: { ends: 'last_at', keptDays: 7 },
    },
  ],
  routes: [listRoute, reasonsRoute, dismissRoute, replayManyRoute, replayRoute],
  reads: [listQuarantine, countReasons, listReplayable, listErrors],
  effects: [keepLinesEffect, releaseLineEffect],
};

export { keepLines, type RefusedLine } from './keep-lines.ts';
