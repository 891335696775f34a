import { listService } from '../../context.ts';
import type { Module } from '../../module.ts';
import { deploymentActions } from './actions.ts';
import { knownReleases } from './known-releases.ts';
import { observeReleases } from './observe-releases.ts';
import { deploymentRoutes } from './routes.ts';
import { skippedNotes } from './with-releases.ts';

/** Deployments of a project: reported by CI, or seen as the first event of a release. */
export const deploymentsModule: Module = {
  name: 'deployments',
  tables: [
    {
      name: 'deployments',
      scope: 'project',
      by: 'project_id',
      key: ['id'],
      // A release that is still in use stays.
      retention: { ends: 'max(at, created_at, coalesce(last_event_at, 0))', keptDays: 400 },
    },
    {
      name: 'skipped_releases',
      scope: 'project',
      by: 'project_id',
      key: ['at'],
      retention: { ends: 'at', keptDays: 7 },
    },
  ],
  routes: deploymentRoutes,
  effects: [observeReleases],
  actions: deploymentActions,
  services: [listService(knownReleases), listService(skippedNotes)],
};

export { listDeployments } from './list-deployments.ts';
export { findDeployments } from './queries.ts';
export { withReleases } from './with-releases.ts';
