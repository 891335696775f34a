import { z } from 'zod';
import { lineOfText } from '../../lib/schema/line-of-text.ts';
import { costFilterSchema, listQuerySchema } from '../events/contract.ts';
import { filterText } from '../events/filter/contract.ts';
import { defineEndpoint, projectQuery } from '../tenancy/contract.ts';

/** Most views of a project. */
export const MAX_VIEWS = 100;

const { environment, model, provider, status, kind, errorCode, userId, sessionId } = listQuerySchema.shape;

/** The pages that have views. */
export const VIEW_PAGES = [
  'events',
  'traces',
  'sessions',
  'users',
  'costs',
  'performance',
  'errors',
] as const;
export type ViewPage = (typeof VIEW_PAGES)[number];

/**
 * What a view keeps of the address of a page: filters, order and columns. The time range is not part of it: that is of
 * whoever looks, and when.
 */
export const viewSearchSchema = z.strictObject({
  filter: filterText.optional(),
  environment,
  status,
  kind,
  model,
  provider,
  errorCode,
  userId,
  sessionId,
  ...costFilterSchema.shape,
  q: z.string().max(500).optional().describe('Text that the page searches for.'),
  by: z.string().max(250).optional().describe('What costs are grouped by.'),
  across: z.string().max(250).optional().describe('The second dimension of a table of costs.'),
  cell: z.string().max(30).optional().describe('Figure that such a table shows.'),
  spread: z.string().max(30).optional().describe('How the distribution of latency is drawn.'),
  metric: z.string().max(30).optional().describe('Figure that the chart shows.'),
  sort: z.string().max(30).optional().describe('What the list is ordered by.'),
  order: z.enum(['asc', 'desc']).optional().describe('Direction of the order.'),
  columns: z
    .string()
    .regex(/^[a-zA-Z]{1,30}(,[a-zA-Z]{1,30}){0,49}$/, 'must be names of columns like time,model,cost')
    .optional()
    .describe('Ids of columns, separated by commas; unknown ones are ignored.'),
});
export type ViewSearch = z.output<typeof viewSearchSchema>;

const viewName = lineOfText(80);

/** Body of `POST /v1/views`. */
export const viewBodySchema = z.strictObject({
  name: viewName.describe('Name of the view, 1 to 80 characters.'),
  search: viewSearchSchema.describe('Filters, order and columns of the view.'),
  isPrivate: z.boolean().default(false).describe('Whether only its author sees it. Default: false.'),
});
export type ViewBody = z.output<typeof viewBodySchema>;

/** Body of `PUT /v1/views/:id`: what is left out stays. */
export const viewChangeSchema = z
  .strictObject({
    name: viewBodySchema.shape.name.optional(),
    search: viewBodySchema.shape.search.optional(),
    isPrivate: z.boolean().optional().describe('Whether only its author sees it.'),
  })
  .refine(
    (change) => Object.values(change).some((value) => value !== undefined),
    'give name, search or isPrivate',
  );
export type ViewChange = z.output<typeof viewChangeSchema>;

export const savedViewSchema = z
  .object({
    id: z.string().describe('Id.'),
    page: z.enum(VIEW_PAGES).describe('Page of the view.'),
    isPrivate: z.boolean().describe('Whether only its author sees it.'),
    isDefault: z.boolean().describe('Whether the page opens with it for you.'),
    name: z.string().describe('Name of the view, 1 to 80 characters.'),
    search: z.record(z.string(), z.string()).describe('Filters, order and columns of the view.'),
    createdBy: z.string().describe('Id of the person who saved it.'),
    author: z.string().nullable().describe('Their name; null if the account is gone.'),
    updatedAt: z.iso.datetime().describe('Time of the last change, ISO 8601 UTC.'),
  })
  .meta({ id: 'SavedView' });
export type SavedView = z.infer<typeof savedViewSchema>;
export const viewsReplySchema = z.object({
  views: z.array(savedViewSchema).describe('Saved views, by name.'),
});

const viewParams = z.object({ id: z.string().max(100).describe('Id of the view.') });

export const getViewsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/views',
  auth: 'project',
  summary: 'List the saved views of a project: shared ones and your own',
  query: projectQuery.extend({
    page: z.enum(VIEW_PAGES).optional().describe('Only views of this page. Default: all.'),
  }),
  reply: viewsReplySchema,
});

export const postViewEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/views',
  auth: 'project',
  role: 'member',
  summary: 'Save filters, order and columns of a page, for everybody in the project or for yourself',
  query: projectQuery.extend({
    page: z.enum(VIEW_PAGES).default('events').describe('Page of the view. Default: `events`.'),
  }),
  body: viewBodySchema,
  example: { name: 'Failed calls', search: { filter: 'status:failed', sort: 'timestamp', order: 'desc' } },
  reply: savedViewSchema,
  status: 201,
});

export const putViewEndpoint = defineEndpoint({
  method: 'PUT',
  path: '/v1/views/:id',
  auth: 'project',
  role: 'member',
  summary: 'Change a saved view; your own, or any as an admin',
  query: projectQuery,
  params: viewParams,
  body: viewChangeSchema,
  example: { name: 'Failed calls in production', search: { filter: 'status:failed environment:production' } },
  reply: savedViewSchema,
});

export const deleteViewEndpoint = defineEndpoint({
  method: 'DELETE',
  path: '/v1/views/:id',
  auth: 'project',
  role: 'member',
  summary: 'Delete a saved view; your own, or any as an admin',
  query: projectQuery,
  params: viewParams,
  status: 204,
});

export const putDefaultViewEndpoint = defineEndpoint({
  method: 'PUT',
  path: '/v1/views/:id/default',
  auth: 'project',
  summary: 'Have a page open with this view for you, or no more',
  query: projectQuery,
  params: viewParams,
  body: z.strictObject({
    isDefault: z.boolean().describe('Whether the page opens with it. Another default view gives way.'),
  }),
  example: { isDefault: true },
  reply: savedViewSchema,
});
