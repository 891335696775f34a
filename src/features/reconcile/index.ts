import { listService, type Service } from '../../context.ts';
import { ofProject, route } from '../../core/tenancy/index.ts';
import { readBody } from '../../http/body/read-body.ts';
import { createShare } from '../../http/share.ts';
import type { FairGate } from '../../lib/fair-gate.ts';
import type { Module } from '../../module.ts';
import { compareRead, invoiceRead, reconcile } from './compare/reconcile.ts';
import { reconcileEndpoint } from './contract.ts';

/** Exports of up to 20 MB in memory; reading one takes ten times as much. */
const reconciliations: Service<FairGate> = {
  name: 'reconcile.running',
  open: () =>
    createShare('reconciliations', { running: { total: 2, each: 1 }, waiting: { total: 4, each: 1 } }),
};

const reconcileRoute = route(reconcileEndpoint, (ctx, { request, query }, { scope }) =>
  ctx.use(reconciliations).run(scope.organizationId, async () =>
    reconcile(ctx, ofProject(scope), {
      csv: await readBody(request, reconcileEndpoint.bodyLimits),
      filter: { account: query.account, key: query.key },
    }),
  ),
);

/** Invoices of providers beside the books. Nothing of them is stored. */
export const reconcileModule: Module = {
  name: 'reconcile',
  routes: [reconcileRoute],
  services: [listService(reconciliations)],
  reads: [invoiceRead, compareRead],
};

export { reconcile } from './compare/reconcile.ts';
