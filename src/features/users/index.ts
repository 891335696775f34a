import type { Module } from '../../module.ts';
import { getUserRoute, listUsersRoute } from './routes.ts';

/** The application's users. */
export const usersModule: Module = {
  name: 'users',
  routes: [listUsersRoute, getUserRoute],
};

export { readUser } from './get-user.ts';
export { readUsers, wholeDays } from './list-users.ts';
