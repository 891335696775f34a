import type { Module } from '../../module.ts';
import { getUserRead } from './get-user.ts';
import { listUsersRead } from './list-users.ts';
import { getUserRoute, listUsersRoute } from './routes.ts';

/** The application's users. */
export const usersModule: Module = {
  name: 'users',
  routes: [listUsersRoute, getUserRoute],
  reads: [listUsersRead, getUserRead],
};
