import { z } from 'zod';
import { DEFAULT_PAGE_SIZE, listQuerySchema, MAX_PAGE_SIZE } from '../../core/events/contract.ts';
import { defineEndpoint, projectIdParam } from '../../core/tenancy/contract.ts';

/** What users can be ordered by. `errorRate`: the fraction of calls that failed. */
export const USER_SORTS = ['cost', 'requests', 'errors', 'errorRate', 'input', 'output', 'lastSeen'] as const;

const query = listQuerySchema.shape;
type Bounds = { readonly start?: number | undefined; readonly end?: number | undefined };
const inOrder = ({ start, end }: Bounds): boolean => start === undefined || end === undefined || start <= end;
const ORDER_ISSUE = { path: ['start'], message: 'must not be after end' };

/** Query of `GET /v1/users`. Days in UTC that `start` and `end` touch are counted whole; the default is today and the 30 days before. */
export const usersQuerySchema = z
  .object({
    projectId: projectIdParam,
    start: query.start.describe(
      'First day of the window: ISO 8601 in UTC. Days are counted whole. Default: 30 days before the last day.',
    ),
    end: query.end.describe('Last day of the window: ISO 8601 in UTC. Default: today.'),
    filter: query.filter,
    model: query.model.describe('Model name as it was sent.'),
    provider: query.provider.describe('Provider of the model, such as `openai`.'),
    status: query.status.describe('Outcome of the call or span.'),
    environment: query.environment.describe('Environment, such as `production`.'),
    search: z.string().max(500).default('').describe('Only end users whose id starts with this text.'),
    sort: z.enum(USER_SORTS).default('cost').describe('Order of the list. Default: `cost`.'),
    order: z
      .enum(['desc', 'asc'])
      .default('desc')
      .describe('`desc`: largest or latest first. `asc`: smallest or earliest first. Default: `desc`.'),
    cursor: query.cursor.describe('`nextCursor` of the previous page; without one, the first page.'),
    limit: z.coerce
      .number()
      .int()
      .min(1)
      .max(MAX_PAGE_SIZE)
      .default(DEFAULT_PAGE_SIZE)
      .describe('Most end users in a page, 1 to 200. Default: 50.'),
  })
  .refine(inOrder, ORDER_ISSUE);

/** Query of `GET /v1/users/:userId`. */
export const userQuerySchema = z
  .object({
    projectId: projectIdParam,
    start: query.start.describe(
      'First day of the window: ISO 8601 in UTC. Days are counted whole. Default: 30 days before the last day.',
    ),
    end: query.end.describe('Last day of the window: ISO 8601 in UTC. Default: today.'),
    environment: query.environment.describe('Environment, such as `production`.'),
  })
  .refine(inOrder, ORDER_ISSUE);

/** The days that were counted, as ISO 8601: from the start of the first to the end of the last. */
const windowSchema = z.object({
  start: z.string().describe('Start of the first day, ISO 8601 UTC.'),
  end: z.string().describe('End of the last day, ISO 8601 UTC.'),
});

/** What a user's events add up to. Calls, each once; `events` are spans of any kind. */
const figures = {
  requests: z.int().describe('Number of calls.'),
  errors: z.int().describe('Calls that failed.'),
  error_rate: z.number().describe('Fraction of calls that failed, 0 to 1.'),
  cost_usd: z.number().describe('Cost in USD, without calls whose price is unknown.'),
  unpriced: z.int().describe('Calls without a known price; `cost_usd` does not include them.'),
  input_tokens: z.number().describe('Input tokens, cached ones included.'),
  output_tokens: z.number().describe('Output tokens, reasoning included.'),
  events: z.int().describe('Events of any kind.'),
};

/** `first_seen`: the first event of all time and environments. `last_seen`: the last event in the window. */
const userSchema = z.object({
  user_id: z.string().describe('Id of the end user.'),
  ...figures,
  first_seen: z.string().describe('Time of the first event, also before the window, ISO 8601 UTC.'),
  last_seen: z.string().describe('Time of the last event in the window, ISO 8601 UTC.'),
});

/** Reply of `GET /v1/users`. */
export const usersReplySchema = z.object({
  users: z.array(userSchema).describe('End users of the page.'),
  nextCursor: z
    .string()
    .nullable()
    .describe('Opaque; pass it as `cursor` to get the next page. Null on the last page.'),
  total: z.int().describe('Number of all rows that match, over all pages.'),
  window: windowSchema.describe('Days that were counted, whole days in UTC.'),
});
export type UsersReply = z.infer<typeof usersReplySchema>;

/**
 * Reply of `GET /v1/users/:userId`. `first_seen` and `last_seen` are of all time and all environments, the
 * figures of the window and the environment.
 */
export const userReplySchema = z.object({
  user: userSchema.describe('Figures of the end user.'),
  days: z
    .array(z.object({ date: z.string().describe('Day in UTC, `YYYY-MM-DD`.'), ...figures }))
    .describe('Figures by day, oldest first.'),
  models: z
    .array(
      z.object({
        provider: z.string().nullable().describe('Provider of the model, such as `openai`.'),
        model: z.string().nullable().describe('Model name as it was sent.'),
        requests: z.int().describe('Number of calls.'),
        errors: z.int().describe('Calls that failed.'),
        cost_usd: z.number().describe('Cost in USD, without calls whose price is unknown.'),
        unpriced: z.int().describe('Calls without a known price; their cost is in no sum.'),
        input_tokens: z.number().describe('Input tokens, cached ones included.'),
        output_tokens: z.number().describe('Output tokens, reasoning included.'),
      }),
    )
    .describe(
      'Models, highest cost first; of an end user with very many calls, or with calls that retention has deleted, only those since `modelsSince`.',
    ),
  modelsSince: z.string().describe('Start of the window for which `models` is known, ISO 8601 UTC.'),
  window: windowSchema.describe('Days that were counted, whole days in UTC.'),
});
export type UserReply = z.infer<typeof userReplySchema>;

export const listUsersEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/users',
  auth: 'project',
  summary: 'Users of the application with their requests, cost and errors, in pages',
  query: usersQuerySchema,
  reply: usersReplySchema,
});

export const getUserEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/users/:userId',
  auth: 'project',
  summary: 'One user: figures, days and models',
  params: z.object({
    userId: z.string().min(1).max(500).describe('Id of the end user, as events name it in `user_id`.'),
  }),
  query: userQuerySchema,
  reply: userReplySchema,
});
