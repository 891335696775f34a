import { ofProject, route } from '../../core/tenancy/index.ts';
import { badRequest } from '../../errors.ts';
import { readBody } from '../../http/body/read-body.ts';
import type { Module } from '../../module.ts';
import { reconcileEndpoint } from './contract.ts';
import { compareRead, invoiceRead, reconcile } from './reconcile.ts';

const reconcileRoute = route(reconcileEndpoint, async (ctx, { request }, { scope }) => {
  const bytes = await readBody(request, reconcileEndpoint.bodyLimits);
  return reconcile(ctx, ofProject(scope), toText(bytes));
});

function toText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw badRequest('the export is not UTF-8; save it as CSV in UTF-8');
  }
}

/** Invoices of providers beside the books. Nothing of them is stored. */
export const reconcileModule: Module = {
  name: 'reconcile',
  routes: [reconcileRoute],
  reads: [invoiceRead, compareRead],
};

export { reconcile } from './reconcile.ts';
