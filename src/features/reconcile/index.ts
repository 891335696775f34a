import { listService } from '../../context.ts';
import type { Module } from '../../module.ts';
import { compareRead, invoiceRead } from './compare/reconcile.ts';
import { driftRead } from './connectors/drift-read.ts';
import { connectorServices, fetchConnectors } from './connectors/job.ts';
import { driftRoutes } from './connectors/routes.ts';
import { setThresholdAction } from './connectors/set-threshold.ts';
import { keepAction, noteAction, removeAction } from './kept/actions.ts';
import { reconcileRoutes, reconciliationShare } from './routes.ts';

/** How long a kept comparison stays: as long as most laws ask for invoices. */
const KEPT_DAYS = 3_653;
/** How long a provider's figures and warnings stay: two years and the days of the last fetches. */
const FIGURE_DAYS = 800;

/** Invoices of providers beside the ledger. */
export const reconcileModule: Module = {
  name: 'reconcile',
  tables: [
    {
      name: 'reconciliations',
      scope: 'project',
      by: 'project_id',
      key: ['id'],
      // Sums by day and model: they name no end user.
      retention: { ends: 'created_at', keptDays: KEPT_DAYS },
    },
    {
      name: 'provider_figures',
      scope: 'organization',
      by: 'organization_id',
      key: ['connector', 'day', 'kind', 'label', 'currency'],
      retention: { ends: '(day + 1) * 86400000', keptDays: FIGURE_DAYS },
    },
    { name: 'connector_states', scope: 'organization', by: 'organization_id', key: ['connector'] },
    { name: 'drift_thresholds', scope: 'organization', by: 'organization_id', key: ['organization_id'] },
    {
      name: 'drift_warnings',
      scope: 'organization',
      by: 'organization_id',
      key: ['id'],
      retention: { ends: 'warned_at', keptDays: FIGURE_DAYS },
    },
  ],
  routes: [...reconcileRoutes, ...driftRoutes],
  actions: [keepAction, noteAction, removeAction, setThresholdAction],
  jobs: [fetchConnectors],
  services: [listService(reconciliationShare), ...connectorServices],
  reads: [invoiceRead, compareRead, driftRead],
};

export { reconcile } from './compare/reconcile.ts';
export { connectorsOf, connectorsWithin } from './connectors/job.ts';
export { listConnectorStates } from './connectors/queries.ts';
export { reportDrift } from './connectors/report-drift.ts';
export { findKept, listKept } from './kept/queries.ts';
