import { listService } from '../../context.ts';
import type { Module } from '../../module.ts';
import { hintForPath } from './hint-for-path.ts';
import { inspectRead } from './inspect/inspect-read.ts';
import { readEventsWork } from './read-events.ts';
import { inspections, otelRoutes } from './routes.ts';

export const otelModule: Module = {
  name: 'otel',
  routes: otelRoutes,
  reads: [inspectRead],
  works: [readEventsWork],
  services: [listService(inspections)],
  hintForPath,
};

export { inspectRequest } from './inspect/inspect-request.ts';
export { type FieldSpec, type MessageName, OTLP_MESSAGES } from './read/otlp-messages.ts';
export { readDump } from './read/read-dump.ts';
