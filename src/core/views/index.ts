import type { Module } from '../../module.ts';
import { viewRoutes } from './routes.ts';

/** The views that people saved of pages: filters, order and columns under a name. */
export const viewsModule: Module = {
  name: 'views',
  // Rows that refer to others come first, in the order of a purge.
  tables: [
    { name: 'default_views', scope: 'project', by: 'project_id', key: ['user_id', 'page'] },
    {
      name: 'saved_views',
      scope: 'project',
      by: 'project_id',
      key: ['id'],
      // A view that asks for the user, for a tag with the user's id, or that has the id in its filter.
      eraseUser: {
        deleteWhere: `EXISTS (SELECT 1 FROM (SELECT ? AS user_id) AS erased WHERE search ->> '$.userId' = erased.user_id
          OR search ->> '$.q' = erased.user_id OR instr(search ->> '$.filter', erased.user_id) > 0
          OR substr(search ->> '$.tag', -length(erased.user_id) - 1) = '=' || erased.user_id)`,
      },
    },
  ],
  routes: viewRoutes,
};
