import { ofErased, textNamesUser } from '../../db/erasure/names-user.ts';
import type { Module } from '../../module.ts';
import { deleteExpiredComments } from './jobs.ts';
import { commentRoutes } from './routes.ts';

/** Comments on traces, spans and sessions, and bookmarks of them. */
export const commentsModule: Module = {
  name: 'comments',
  tables: [
    {
      name: 'comments',
      scope: 'project',
      by: 'project_id',
      key: ['id'],
      eraseUser: {
        deleteWhere: ofErased(
          `about_user = erased.user_id OR ${textNamesUser('text')} OR ${textNamesUser('session_id')}`,
        ),
        receipt: 'comments',
      },
    },
    {
      name: 'bookmarks',
      scope: 'project',
      by: 'project_id',
      key: ['id'],
      eraseUser: {
        deleteWhere: ofErased(
          `about_user = erased.user_id OR ${textNamesUser('name')} OR ${textNamesUser('session_id')}`,
        ),
        receipt: 'bookmarks',
      },
    },
  ],
  routes: commentRoutes,
  jobs: [deleteExpiredComments],
};
