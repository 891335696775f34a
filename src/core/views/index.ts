import { filterNamesUser, ofErased, tagNamesUser } from '../../db/erasure/names-user.ts';
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
      // A view that asks for the user, or for a tag with the user's id.
      eraseUser: {
        deleteWhere: ofErased(
          `search ->> '$.userId' = erased.user_id OR search ->> '$.q' = erased.user_id
            OR ${filterNamesUser("search ->> '$.filter'")} OR ${tagNamesUser("search ->> '$.tag'")}`,
        ),
        receipt: 'views',
      },
    },
  ],
  routes: viewRoutes,
};
