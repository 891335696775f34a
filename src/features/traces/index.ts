import type { Module } from '../../module.ts';
import {
  getTraceRead,
  getTraceRoute,
  getWaterfallRead,
  getWaterfallRoute,
  listTracesRead,
  listTracesRoute,
} from './routes.ts';

/** Events as traces. */
export const tracesModule: Module = {
  name: 'traces',
  routes: [listTracesRoute, getTraceRoute, getWaterfallRoute],
  reads: [listTracesRead, getTraceRead, getWaterfallRead],
};
