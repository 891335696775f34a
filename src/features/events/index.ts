import type { Module } from '../../module.ts';
import { exportEventsRoute, exportPageRead } from './export-events.ts';
import { listEventsRead, listEventsRoute } from './routes.ts';
import { viewRoutes } from './view-routes.ts';

/** The stored events as they are, and the views that people saved of them. */
export const eventListModule: Module = {
  name: 'event-list',
  routes: [listEventsRoute, exportEventsRoute, ...viewRoutes],
  reads: [listEventsRead, exportPageRead],
};
