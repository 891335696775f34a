import type { Module } from '../../module.ts';
import { getTraceRead, getTraceRoute, listTracesRead, listTracesRoute } from './routes.ts';

/** Events as traces. */
export const tracesModule: Module = {
  name: 'traces',
  routes: [listTracesRoute, getTraceRoute],
  reads: [listTracesRead, getTraceRead],
};
