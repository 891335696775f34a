import type { Module } from '../../module.ts';
import { costsRead } from './costs.ts';
import { errorsRead } from './errors.ts';
import { overviewRead } from './overview.ts';
import { performanceRead } from './performance.ts';
import { costsRoute, errorsRoute, overviewRoute, performanceRoute } from './routes.ts';

/** The figures of a project. */
export const analyticsModule: Module = {
  name: 'analytics',
  routes: [overviewRoute, costsRoute, performanceRoute, errorsRoute],
  reads: [overviewRead, costsRead, performanceRead, errorsRead],
};
