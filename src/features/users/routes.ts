import { ofProject, route } from '../../core/tenancy/index.ts';
import { getUserEndpoint, listUsersEndpoint } from './contract.ts';
import { readUser } from './get-user.ts';
import { readUsers, wholeDays } from './list-users.ts';

/** The users that events are attributed to, by what they cost or did. */
export const listUsersRoute = route(listUsersEndpoint, (ctx, { query }, { scope }) => {
  const { model, provider, environment, status, filter, search, sort, order, cursor = null, limit } = query;
  const desc = order === 'desc';
  const filters = { model, provider, environment, status, where: filter };
  const window = wholeDays(query, ctx.now());
  return readUsers(ctx, ofProject(scope), { window, filters, search, sort, desc, cursor, limit });
});

export const getUserRoute = route(getUserEndpoint, (ctx, { params, query }, { scope }) =>
  readUser(ctx, ofProject(scope), {
    userId: params.userId,
    window: wholeDays(query, ctx.now()),
    environment: query.environment,
  }),
);
