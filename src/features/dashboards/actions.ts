import { z } from 'zod';
import { idOrName } from '../../core/orgs/contract.ts';
import { findProject } from '../../core/projects/index.ts';
import { operatorScope } from '../../core/tenancy/index.ts';
import { defineAction } from '../../module.ts';
import { dashboardBody } from './contract.ts';
import { listDashboards } from './queries.ts';
import { createDashboard, type Editor, replaceDashboard } from './save-dashboard.ts';

/** The author of what the operator imports. */
const OPERATOR = 'operator';

/** `dashboards.import`: a shared dashboard, in the place of a shared one with the same name. */
export const importDashboardAction = defineAction({
  name: 'dashboards.import',
  input: z.object({ project: idOrName, dashboard: dashboardBody }),
  run: async (ctx, { project, dashboard }, actor) => {
    const scope = operatorScope(await findProject(ctx, project));
    const by: Editor = { scope, userId: OPERATOR, all: true, actor };
    const body = { ...dashboard, shared: true };
    const viewer = { projectId: scope.projectId, userId: OPERATOR };
    const same = (await listDashboards(ctx, viewer)).find(({ name }) => name === body.name);
    return same === undefined
      ? createDashboard(ctx, by, body)
      : replaceDashboard(ctx, by, { id: same.id, body });
  },
});
