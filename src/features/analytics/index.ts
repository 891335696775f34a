import type { Module } from '../../module.ts';
import {
  costBreakdownRoute,
  costTagsRoute,
  errorsTimelineRoute,
  facetsRoute,
  performanceModelsRoute,
  performanceTimelineRoute,
} from './detail-routes.ts';
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
};

export { breakdownBy, readCostBreakdown } from './costs/cost-breakdown.ts';
export { readCosts } from './costs/costs.ts';
export { readDayBreakdown } from './costs/day-breakdown.ts';
export { readErrors } from './errors/errors.ts';
export { type AnalyticsInput, toInput } from './input.ts';
export { readOverview } from './overview/overview.ts';
export { readPerformance } from './performance/performance.ts';
export { readPerformanceModels } from './performance/performance-details.ts';
