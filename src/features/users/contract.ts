import { z } from 'zod';
import { DEFAULT_PAGE_SIZE, listQuerySchema, MAX_PAGE_SIZE } from '../../core/events/contract.ts';
import { defineEndpoint } from '../../core/tenancy/contract.ts';

/** What users can be ordered by, the largest or latest first. */
export const USER_SORTS = ['cost', 'requests', 'errors', 'lastSeen'] as const;

const query = listQuerySchema.shape;
type Bounds = { readonly start?: number | undefined; readonly end?: number | undefined };
const inOrder = ({ start, end }: Bounds): boolean => start === undefined || end === undefined || start <= end;
const ORDER_ISSUE = { path: ['start'], message: 'must not be after end' };

/** Query of `GET /v1/users`. Days in UTC that `start` and `end` touch are counted whole; 30 days without. */
export const usersQuerySchema = z
  .object({
    projectId: z.string(),
    start: query.start,
    end: query.end,
    model: query.model,
    provider: query.provider,
    status: query.status,
    environment: query.environment,
    /** How the ids of the users begin. */
    search: z.string().max(500).default(''),
    sort: z.enum(USER_SORTS).default('cost'),
    cursor: query.cursor,
    limit: z.coerce.number().int().min(1).max(MAX_PAGE_SIZE).default(DEFAULT_PAGE_SIZE),
  })
  .refine(inOrder, ORDER_ISSUE);

/** Query of `GET /v1/users/:userId`. */
export const userQuerySchema = z
  .object({
    projectId: z.string(),
    start: query.start,
    end: query.end,
    environment: query.environment,
  })
  .refine(inOrder, ORDER_ISSUE);

/** The days that were counted, as ISO 8601: from the start of the first to the end of the last. */
const windowSchema = z.object({ start: z.string(), end: z.string() });

/** What a user's events add up to. Calls, each once; `events` are spans of any kind. */
const figures = {
  requests: z.int(),
  /** Calls that ended in error, timeout or rate_limited, and what fraction they are. */
  errors: z.int(),
  error_rate: z.number(),
  cost_usd: z.number(),
  /** Calls without a known price: they are not in `cost_usd`. */
  unpriced: z.int(),
  input_tokens: z.number(),
  output_tokens: z.number(),
  events: z.int(),
};

/** `first_seen`, `last_seen`: the first and last event in the window. */
const userSchema = z.object({
  user_id: z.string(),
  ...figures,
  first_seen: z.string(),
  last_seen: z.string(),
});

/** Reply of `GET /v1/users`. */
export const usersReplySchema = z.object({
  users: z.array(userSchema),
  nextCursor: z.string().nullable(),
  total: z.int(),
  window: windowSchema,
});
export type UsersReply = z.infer<typeof usersReplySchema>;

/**
 * Reply of `GET /v1/users/:userId`. `first_seen` and `last_seen` are of all time and all environments, the
 * figures of the window and the environment.
 */
export const userReplySchema = z.object({
  user: userSchema,
  /** Days with an event. */
  days: z.array(z.object({ date: z.string(), ...figures })),
  /** By cost. Only of the newest calls where the user has very many: those since `modelsSince`. */
  models: z.array(
    z.object({
      provider: z.string().nullable(),
      model: z.string().nullable(),
      requests: z.int(),
      errors: z.int(),
      cost_usd: z.number(),
      unpriced: z.int(),
      input_tokens: z.number(),
      output_tokens: z.number(),
    }),
  ),
  modelsSince: z.string(),
  window: windowSchema,
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
  params: z.object({ userId: z.string().min(1).max(500) }),
  query: userQuerySchema,
  reply: userReplySchema,
});
