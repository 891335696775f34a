import type { Module } from '../../module.ts';
import { exportEventsRoute, exportPageRead } from './export-events.ts';
import { getEventRead, getEventRoute, listEventsRead, listEventsRoute } from './routes.ts';
import { viewRoutes } from './view-routes.ts';

/** The stored events as they are, and the views that people saved of them. */
export const eventListModule: Module = {
  name: 'event-list',
  // Words such as `export` are no ids: their routes come first.
  routes: [listEventsRoute, exportEventsRoute, ...viewRoutes, getEventRoute],
  reads: [listEventsRead, exportPageRead, getEventRead],
};
