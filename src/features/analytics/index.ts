import type { Module } from '../../module.ts';
import { costBreakdownRead } from './cost-breakdown.ts';
import { costTagsRead } from './cost-tags.ts';
import { costsRead } from './costs.ts';
import { dayBreakdownRead } from './day-breakdown.ts';
import {
  costBreakdownRoute,
  costTagsRoute,
  errorsTimelineRoute,
  facetsRoute,
  performanceModelsRoute,
  performanceTimelineRoute,
} from './detail-routes.ts';
import { errorsRead } from './errors.ts';
import { errorsTimelineRead } from './errors-timeline.ts';
import { facetsRead } from './facets.ts';
import { labelBreakdownRead } from './label-breakdown.ts';
import { overviewRead } from './overview.ts';
import { performanceRead } from './performance.ts';
import { performanceModelsRead, performanceTimelineRead } from './performance-details.ts';
import { costsRoute, errorsRoute, overviewRoute, performanceRoute } from './routes.ts';
import { userBreakdownRead } from './user-breakdown.ts';

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
