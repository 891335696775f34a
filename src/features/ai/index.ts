import type { Module } from '../../module.ts';
import { aiActions } from './actions.ts';
import { findAnomaliesWork } from './anomalies/find-work.ts';
import { aiRoutes } from './routes.ts';

/** Questions about figures in plain English, unusual hours, and what would save money. */
export const aiModule: Module = {
  name: 'ai',
  tables: [
    {
      name: 'recommendation_decisions',
      scope: 'project',
      by: 'project_id',
      key: ['recommendation_id'],
    },
  ],
  routes: aiRoutes,
  actions: aiActions,
  works: [findAnomaliesWork],
};

export { explain, parseAnomalyId } from './anomalies/explain.ts';
export { listAnomalies } from './anomalies/list-anomalies.ts';
export { ask } from './ask/ask.ts';
export { listRecommendations } from './recommendations/with-decisions.ts';
