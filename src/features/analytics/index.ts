import type { Module } from '../../module.ts';
import { costBreakdownRead } from './costs/cost-breakdown.ts';
import { costTagsRead } from './costs/cost-tags.ts';
import { costsRead } from './costs/costs.ts';
import { dayBreakdownRead } from './costs/day-breakdown.ts';
import { labelBreakdownRead } from './costs/label-breakdown.ts';
import { userBreakdownRead } from './costs/user-breakdown.ts';
import {
  costBreakdownRoute,
  costTagsRoute,
  errorsTimelineRoute,
  facetsRoute,
  performanceModelsRoute,
  performanceTimelineRoute,
} from './detail-routes.ts';
import { errorsRead } from './errors/errors.ts';
import { errorsTimelineRead } from './errors/errors-timeline.ts';
import { facetsRead } from './overview/facets.ts';
import { overviewRead } from './overview/overview.ts';
import { performanceRead } from './performance/performance.ts';
import { performanceModelsRead, performanceTimelineRead } from './performance/performance-details.ts';
import { costsRoute, errorsRoute, overviewRoute, performanceRoute } from './routes.ts';

/** The figures of a project. */
export const analyticsModule: Module = {
  name: 'analytics',
  routes: [
    overviewRoute,
    costsRoute,
    costBreakdownRoute,
    costTagsRoute,
    performanceRoute,
    performanceTimelineRoute,
    performanceModelsRoute,
    errorsRoute,
    errorsTimelineRoute,
    facetsRoute,
  ],
  reads: [
    overviewRead,
    costsRead,
    costBreakdownRead,
    costTagsRead,
    labelBreakdownRead,
    userBreakdownRead,
    dayBreakdownRead,
    performanceRead,
    performanceTimelineRead,
    performanceModelsRead,
    errorsRead,
    errorsTimelineRead,
    facetsRead,
  ],
};
