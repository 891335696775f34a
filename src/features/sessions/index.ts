import type { Module } from '../../module.ts';
import { getSessionRoute, listSessionEventsRoute, listSessionsRoute } from './routes.ts';

/** Conversations: events that say to which session they belong. */
export const sessionsModule: Module = {
  name: 'sessions',
  routes: [listSessionsRoute, getSessionRoute, listSessionEventsRoute],
};

export { readSession } from './read-session.ts';
