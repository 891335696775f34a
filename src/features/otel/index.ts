import type { Module } from '../../module.ts';
import { otelRoutes } from './routes.ts';

export const otelModule: Module = { name: 'otel', routes: otelRoutes };

export { inspectRequest } from './inspect/inspect-request.ts';
export { type FieldSpec, type MessageName, OTLP_MESSAGES } from './read/otlp-messages.ts';
export { readDump } from './read/read-dump.ts';
