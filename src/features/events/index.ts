import { listService } from '../../context.ts';
import type { Module } from '../../module.ts';
import { exportEventsRoute, runningExports } from './export-events.ts';
import { getEventRoute, listEventsRoute, neighboursRoute } from './routes.ts';
import { writeFileWork } from './write-file.ts';

/** The stored events as they are. */
export const eventListModule: Module = {
  name: 'event-list',
  works: [writeFileWork],
  services: [listService(runningExports)],
  // Words such as `export` are no ids: their routes come first.
  routes: [listEventsRoute, exportEventsRoute, getEventRoute, neighboursRoute],
};

export type { EventFile } from './event-file.ts';
export { FORMATS } from './export-formats.ts';
export { readEvent } from './routes.ts';
