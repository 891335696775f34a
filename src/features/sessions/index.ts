import type { Module } from '../../module.ts';
import {
  getSessionRead,
  getSessionRoute,
  listSessionEventsRead,
  listSessionEventsRoute,
  listSessionsRead,
  listSessionsRoute,
} from './routes.ts';

/** Conversations: events that say to which session they belong. */
export const sessionsModule: Module = {
  name: 'sessions',
  routes: [listSessionsRoute, getSessionRoute, listSessionEventsRoute],
  reads: [listSessionsRead, getSessionRead, listSessionEventsRead],
};
