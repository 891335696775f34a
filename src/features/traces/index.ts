import type { Module } from '../../module.ts';
import { getTraceRoute, getWaterfallRoute, listTracesRoute, searchTraceRoute } from './routes.ts';

/** Events as traces. */
export const tracesModule: Module = {
  name: 'traces',
  routes: [listTracesRoute, getTraceRoute, getWaterfallRoute, searchTraceRoute],
};
