import type { Module } from '../../module.ts';
import { importDashboardAction } from './actions.ts';
import { dashboardRoutes } from './routes.ts';

/** Dashboards of people's own: grids of saved metric queries. */
export const dashboardsModule: Module = {
  name: 'dashboards',
  tables: [
    {
      name: 'dashboards',
      scope: 'project',
      by: 'project_id',
      key: ['id'],
      // One with a tile whose filter names the user: as a whole word once quotes and the like are gone.
      eraseUser: {
        deleteWhere: `EXISTS (
          SELECT 1 FROM json_each(dashboards.tiles) AS tile, (SELECT ? AS user_id) AS erased
          WHERE instr(
            ' ' || replace(replace(replace(tile.value ->> '$.filter', '"', ' '), ':', ' '), ',', ' ') || ' ',
            ' ' || replace(replace(replace(erased.user_id, '"', ' '), ':', ' '), ',', ' ') || ' ') > 0)`,
      },
    },
  ],
  routes: dashboardRoutes,
  actions: [importDashboardAction],
};

export { importDashboardAction } from './actions.ts';
export { listDashboards } from './queries.ts';
