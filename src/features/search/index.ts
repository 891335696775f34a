import { listService, type Service } from '../../context.ts';
import { ofProject, route } from '../../core/tenancy/index.ts';
import { createShare } from '../../http/share.ts';
import type { FairGate } from '../../lib/fair-gate.ts';
import type { Module } from '../../module.ts';
import { searchEndpoint } from './contract.ts';
import { findAll } from './find.ts';

/** A search asks the readers seven questions. */
const runningSearches: Service<FairGate> = {
  name: 'search.running',
  open: () => createShare('searches', { running: { total: 4, each: 2 }, waiting: { total: 40, each: 8 } }),
};

const search = route(searchEndpoint, async (ctx, { query }, { scope }) => {
  const leave = await ctx.use(runningSearches).enter(scope.organizationId);
  try {
    return await findAll({ ctx, scope, of: ofProject(scope), text: query.q });
  } finally {
    leave();
  }
});

/** Finds things of a project by id or name. */
export const searchModule: Module = {
  name: 'search',
  services: [listService(runningSearches)],
  routes: [search],
};
