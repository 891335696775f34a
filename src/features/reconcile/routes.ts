import type { Ctx, Service } from '../../context.ts';
import { type Callers, ofProject, route } from '../../core/tenancy/index.ts';
import { readBody } from '../../http/body/read-body.ts';
import { createShare } from '../../http/share.ts';
import type { FairGate } from '../../lib/fair-gate.ts';
import type { JsonText } from '../../lib/json-text.ts';
import { actorOf } from '../../module.ts';
import { reconcile } from './compare/reconcile.ts';
import { EXPORT_LIMITS, type Reconciliation, reconcileEndpoint } from './contract.ts';
import type { ExportFilter } from './formats/read-export.ts';
import {
  deleteKeptEndpoint,
  getKeptEndpoint,
  keepEndpoint,
  listKeptEndpoint,
  noteEndpoint,
} from './kept/contract.ts';
import { changeNote, deleteKept, type Keeper, keepReconciliation } from './kept/keep.ts';
import { findKept, listKept } from './kept/queries.ts';

/** An export of up to 20 MB is in the memory of the server and of a reader process, which works on it for seconds. */
export const reconciliationShare: Service<FairGate> = {
  name: 'reconcile.running',
  open: () =>
    createShare('reconciliations', { running: { total: 2, each: 1 }, waiting: { total: 4, each: 1 } }),
};

type Scope = Callers['project']['scope'];

/** Compares the body of a request, one for each organization at a time. */
const compareBody = (
  ctx: Ctx,
  scope: Scope,
  { request, filter }: { readonly request: Request; readonly filter: ExportFilter },
): Promise<JsonText<Reconciliation>> =>
  ctx
    .use(reconciliationShare)
    .run(scope.organizationId, async () =>
      reconcile(ctx, ofProject(scope), { csv: await readBody(request, EXPORT_LIMITS), filter }),
    );

const filterOf = ({ account, key }: ExportFilter): ExportFilter => ({ account, key });

const keeperOf = (
  caller: Callers['project'],
  input: { readonly request: Request; readonly address: string | null },
): Keeper => ({ scope: caller.scope, actor: actorOf(caller, input) });

export const reconcileRoutes = [
  route(reconcileEndpoint, (ctx, { request, query }, { scope }) =>
    compareBody(ctx, scope, { request, filter: filterOf(query) }),
  ),
  route(keepEndpoint, async (ctx, input, caller) => {
    const { request, query } = input;
    const { name, note } = query;
    const result = (await compareBody(ctx, caller.scope, { request, filter: filterOf(query) })).parse();
    return keepReconciliation(ctx, keeperOf(caller, input), { name, note, result });
  }),
  route(listKeptEndpoint, async (ctx, { query }, { scope }) => ({
    reconciliations: await listKept(ctx, scope.projectId, { month: query.month }),
  })),
  route(getKeptEndpoint, (ctx, { params }, { scope }) => findKept(ctx, scope.projectId, params.id)),
  route(noteEndpoint, (ctx, input, caller) =>
    changeNote(ctx, keeperOf(caller, input), { id: input.params.id, note: input.body.note }),
  ),
  route(deleteKeptEndpoint, async (ctx, input, caller) => {
    await deleteKept(ctx, keeperOf(caller, input), input.params.id);
    return null;
  }),
];
