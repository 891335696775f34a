import { type Callers, hasRole, route } from '../../core/tenancy/index.ts';
import { actorOf } from '../../module.ts';
import {
  deleteDashboardEndpoint,
  getDashboardEndpoint,
  listDashboardsEndpoint,
  postDashboardEndpoint,
  putDashboardEndpoint,
} from './contract.ts';
import { findDashboard, listDashboards } from './queries.ts';
import { createDashboard, deleteDashboard, type Editor, replaceDashboard } from './save-dashboard.ts';

/** Whoever made a dashboard may change it; a shared one an admin too. */
const editorOf = (
  caller: Callers['project'],
  input: { request: Request; address: string | null },
): Editor => ({
  scope: caller.scope,
  userId: caller.userId,
  all: hasRole(caller.role, 'admin'),
  actor: actorOf(caller, input),
});

const list = route(listDashboardsEndpoint, async (ctx, _input, { scope, userId }) => {
  const found = await listDashboards(ctx, { projectId: scope.projectId, userId });
  return {
    dashboards: found.map(({ tiles, revision: _, ...listed }) => ({ ...listed, tileCount: tiles.length })),
  };
});

const post = route(postDashboardEndpoint, (ctx, input, caller) =>
  createDashboard(ctx, editorOf(caller, input), input.body),
);

const get = route(getDashboardEndpoint, (ctx, { params }, { scope, userId }) =>
  findDashboard(ctx, { projectId: scope.projectId, userId }, params.id),
);

const put = route(putDashboardEndpoint, (ctx, input, caller) =>
  replaceDashboard(ctx, editorOf(caller, input), { id: input.params.id, body: input.body }),
);

const remove = route(deleteDashboardEndpoint, async (ctx, input, caller) => {
  await deleteDashboard(ctx, editorOf(caller, input), input.params.id);
  return null;
});

export const dashboardRoutes = [list, post, get, put, remove];
