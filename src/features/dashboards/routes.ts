import { filtersOf, metricsWindow } from '../../core/events/index.ts';
import { type Callers, hasRole, ofProject, route } from '../../core/tenancy/index.ts';
import { badRequest } from '../../errors.ts';
import { DAY_MS } from '../../lib/time.ts';
import { actorOf } from '../../module.ts';
import {
  deleteDashboardEndpoint,
  getDashboardEndpoint,
  listDashboardsEndpoint,
  postDashboardEndpoint,
  putDashboardEndpoint,
  queryDashboardEndpoint,
} from './contract.ts';
import { findDashboard, listDashboards } from './queries.ts';
import { readTiles } from './read/read-tiles.ts';
import { createDashboard, deleteDashboard, type Editor, replaceDashboard } from './save-dashboard.ts';

/** Days are listed for each group: longer windows than this have more weeks than a chart has room for. */
const MAX_WINDOW_MS = 20 * 366 * DAY_MS;

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

const query = route(queryDashboardEndpoint, async (ctx, { body }, { scope }) => {
  const { start, end, environment, filter, timeZone, tiles } = body;
  const window = metricsWindow({ start, end }, ctx.now());
  if (window.to <= window.from) throw badRequest('start: must not be after end');
  if (window.to - window.from > MAX_WINDOW_MS)
    throw badRequest('start: must not be more than 20 years before end');
  const filters = { ...filtersOf({}), environment, where: filter };
  return { tiles: await readTiles(ctx, ofProject(scope), { filters, window, timeZone, tiles }) };
});

// `query` is no id: its route comes first.
export const dashboardRoutes = [list, post, query, get, put, remove];
