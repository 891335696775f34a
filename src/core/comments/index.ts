import type { Module } from '../../module.ts';
import { deleteExpiredComments } from './jobs.ts';
import { commentRoutes } from './routes.ts';

/** Ids of end users that are this long are looked for in texts; shorter ones could be part of any word. */
const LONG_ID = 8;

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
        deleteWhere: `EXISTS (SELECT 1 FROM (SELECT ? AS user_id) AS erased WHERE about_user = erased.user_id
          OR (length(erased.user_id) >= ${LONG_ID} AND (instr(text, erased.user_id) > 0 OR instr(session_id, erased.user_id) > 0)))`,
      },
    },
    {
      name: 'bookmarks',
      scope: 'project',
      by: 'project_id',
      key: ['id'],
      eraseUser: {
        deleteWhere: `EXISTS (SELECT 1 FROM (SELECT ? AS user_id) AS erased WHERE about_user = erased.user_id
          OR (length(erased.user_id) >= ${LONG_ID} AND (instr(name, erased.user_id) > 0 OR instr(session_id, erased.user_id) > 0)))`,
      },
    },
  ],
  routes: commentRoutes,
  jobs: [deleteExpiredComments],
};
