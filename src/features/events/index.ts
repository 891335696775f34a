import type { Module } from '../../module.ts';
import { listEventsRead, listEventsRoute } from './routes.ts';

/** The stored events as they are. */
export const eventListModule: Module = {
  name: 'event-list',
  routes: [listEventsRoute],
  reads: [listEventsRead],
};
