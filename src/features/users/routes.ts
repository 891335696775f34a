import { route } from '../../core/tenancy/index.ts';
import { JsonText } from '../../http/reply.ts';
import { getUserEndpoint, listUsersEndpoint } from './contract.ts';
import { getUserRead } from './get-user.ts';
import { listUsersRead, wholeDays } from './list-users.ts';

/** The users that events are attributed to, by what they cost or did. */
export const listUsersRoute = route(listUsersEndpoint, async (ctx, { query }, { scope }) => {
  const { model, provider, environment, status, search, sort, cursor = null, limit } = query;
  const filters = { model, provider, environment, status };
  const window = wholeDays(query, ctx.now());
  return new JsonText(
    await ctx.db.read(listUsersRead, [scope.no], { window, filters, search, sort, cursor, limit }),
  );
});

export const getUserRoute = route(
  getUserEndpoint,
  async (ctx, { params, query }, { scope }) =>
    new JsonText(
      await ctx.db.read(getUserRead, [scope.no], {
        userId: params.userId,
        window: wholeDays(query, ctx.now()),
        environment: query.environment,
      }),
    ),
);
