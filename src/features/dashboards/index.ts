import { filterNamesUser } from '../../db/erasure/names-user.ts';
import type { Module } from '../../module.ts';
import { importDashboardAction } from './actions.ts';
import { dashboardRoutes } from './routes.ts';

const NAMES_USER = filterNamesUser("coalesce(tile.value ->> '$.filter', '')");

/** Dashboards of people's own: grids of saved metric queries. */
export const dashboardsModule: Module = {
  name: 'dashboards',
  tables: [
    {
      name: 'dashboards',
      scope: 'project',
      by: 'project_id',
      key: ['id'],
      // Tiles whose filter names the user go; a person who edits the dashboard meanwhile has to load it again.
      eraseUser: {
        update: `revision = revision + 1, tiles = (
          SELECT json_group_array(json(value)) FROM (
            SELECT tile.value FROM json_each(dashboards.tiles) AS tile, (SELECT ? AS user_id) AS erased
            WHERE NOT ${NAMES_USER} ORDER BY tile.key))`,
        where: `EXISTS (
          SELECT 1 FROM json_each(dashboards.tiles) AS tile, (SELECT ? AS user_id) AS erased WHERE ${NAMES_USER})`,
      },
    },
  ],
  routes: dashboardRoutes,
  actions: [importDashboardAction],
};

export { importDashboardAction } from './actions.ts';
export { listDashboards } from './queries.ts';
