import { listService } from '../../context.ts';
import type { Module } from '../../module.ts';
import { exportEventsRoute, runningExports } from './export-events.ts';
import { getEventRoute, listEventsRoute, neighboursRoute } from './routes.ts';
import { viewRoutes } from './view-routes.ts';
import { writeFileWork } from './write-file.ts';

/** The stored events as they are, and the views that people saved of them. */
export const eventListModule: Module = {
  name: 'event-list',
  tables: [
    {
      name: 'saved_views',
      scope: 'project',
      by: 'project_id',
      key: ['id'],
      // A view that asks for the user, or for a tag with the user's id.
      eraseUser: {
        deleteWhere: `EXISTS (SELECT 1 FROM (SELECT ? AS user_id) AS erased WHERE search ->> '$.userId' = erased.user_id
          OR substr(search ->> '$.tag', -length(erased.user_id) - 1) = '=' || erased.user_id)`,
      },
    },
  ],
  works: [writeFileWork],
  services: [listService(runningExports)],
  // Words such as `export` are no ids: their routes come first.
  routes: [listEventsRoute, exportEventsRoute, ...viewRoutes, getEventRoute, neighboursRoute],
};

export type { EventFile } from './event-file.ts';
export { FORMATS } from './export-formats.ts';
export { readEvent } from './routes.ts';
