import type { Module } from '../../module.ts';
import { exportEventsRoute, exportPageRead } from './export-events.ts';
import { listEventsRead, listEventsRoute } from './routes.ts';

/** The stored events as they are. */
export const eventListModule: Module = {
  name: 'event-list',
  routes: [listEventsRoute, exportEventsRoute],
  reads: [listEventsRead, exportPageRead],
};
