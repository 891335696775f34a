import { listService } from '../../context.ts';
import type { Module } from '../../module.ts';
import { compareRead, invoiceRead } from './compare/reconcile.ts';
import { keepAction, noteAction, removeAction } from './kept/actions.ts';
import { reconcileRoutes, reconciliationShare } from './routes.ts';

/** How long a kept comparison stays: as long as most laws ask for invoices. */
const KEPT_DAYS = 3_653;

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
  ],
  routes: reconcileRoutes,
  actions: [keepAction, noteAction, removeAction],
  services: [listService(reconciliationShare)],
  reads: [invoiceRead, compareRead],
};

export { reconcile } from './compare/reconcile.ts';
export { findKept, listKept } from './kept/queries.ts';
