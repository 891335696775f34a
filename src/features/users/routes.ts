import { z } from 'zod';
import { defineRoute } from '../../core/tenancy/index.ts';
import { JsonText } from '../../http/reply.ts';
import { userQuerySchema, userReplySchema, usersQuerySchema, usersReplySchema } from './contract.ts';
import { getUserRead } from './get-user.ts';
import { listUsersRead, wholeDays } from './list-users.ts';

/** The users that events are attributed to, by what they cost or did. */
export const listUsersRoute = defineRoute({
  method: 'GET',
  path: '/v1/users',
  auth: 'project',
  summary: 'Users of the application with their requests, cost and errors, in pages',
  query: usersQuerySchema,
  reply: usersReplySchema,
  handler: async (ctx, { query }, { scope }) => {
    const { model, provider, environment, status, search, sort, cursor = null, limit } = query;
    const filters = { model, provider, environment, status };
    const window = wholeDays(query, ctx.now());
    return new JsonText(
      await ctx.db.read(listUsersRead, [scope.no], { window, filters, search, sort, cursor, limit }),
    );
  },
});

export const getUserRoute = defineRoute({
  method: 'GET',
  path: '/v1/users/:userId',
  auth: 'project',
  summary: 'One user: figures, days and models',
  params: z.object({ userId: z.string().min(1).max(500) }),
  query: userQuerySchema,
  reply: userReplySchema,
  handler: async (ctx, { params, query }, { scope }) =>
    new JsonText(
      await ctx.db.read(getUserRead, [scope.no], {
        userId: params.userId,
        window: wholeDays(query, ctx.now()),
        environment: query.environment,
      }),
    ),
});
