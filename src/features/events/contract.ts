import { z } from 'zod';
import { costFilterSchema, exportQuerySchema, listQuerySchema } from '../../core/events/contract.ts';
import { filterText } from '../../core/events/filter/contract.ts';
import { eventOrderSchema } from '../../core/events/order/contract.ts';
import { defineEndpoint, projectQuery } from '../../core/tenancy/contract.ts';

/** Most events of an export in another order than by time. */
export const MAX_SORTED_EXPORT = 100_000;

/** Most views of a project. */
export const MAX_VIEWS = 100;

const { environment, model, provider, status, kind, errorCode, userId, sessionId } = listQuerySchema.shape;

/**
 * What a view keeps of the address of the events page: filters and columns. The time range is not part of
 * it: that is of whoever looks, and when.
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
  columns: z
    .string()
    .regex(/^[a-z]{1,30}(,[a-z]{1,30}){0,49}$/, 'must be names of columns like time,model,cost')
    .optional()
    .describe('Ids of columns, separated by commas; unknown ones are ignored.'),
});
export type ViewSearch = z.output<typeof viewSearchSchema>;

const viewName = z.string().trim().min(1).max(80);

/** Body of `POST /v1/events/views`. */
export const viewBodySchema = z.strictObject({
  name: viewName.describe('Name of the view, 1 to 80 characters.'),
  search: viewSearchSchema.describe('Filters and columns of the view.'),
});
export type ViewBody = z.output<typeof viewBodySchema>;

/** Body of `PUT /v1/events/views/:id`: what is left out stays. */
export const viewChangeSchema = viewBodySchema
  .partial()
  .refine(({ name, search }) => name !== undefined || search !== undefined, 'give name, search or both');
export type ViewChange = z.output<typeof viewChangeSchema>;

export const savedViewSchema = z
  .object({
    id: z.string().describe('Id.'),
    name: z.string().describe('Name of the view, 1 to 80 characters.'),
    search: z.record(z.string(), z.string()).describe('Filters and columns of the view.'),
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
  path: '/v1/events/views',
  auth: 'project',
  summary: 'List the saved views of the events page',
  query: projectQuery,
  reply: viewsReplySchema,
});

export const postViewEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/events/views',
  auth: 'project',
  role: 'member',
  summary: 'Save filters and columns of the events page for everybody in the project',
  query: projectQuery,
  body: viewBodySchema,
  reply: savedViewSchema,
  status: 201,
});

export const putViewEndpoint = defineEndpoint({
  method: 'PUT',
  path: '/v1/events/views/:id',
  auth: 'project',
  role: 'member',
  summary: 'Change a saved view; your own, or any as an admin',
  query: projectQuery,
  params: viewParams,
  body: viewChangeSchema,
  reply: savedViewSchema,
});

export const deleteViewEndpoint = defineEndpoint({
  method: 'DELETE',
  path: '/v1/events/views/:id',
  auth: 'project',
  role: 'member',
  summary: 'Delete a saved view; your own, or any as an admin',
  query: projectQuery,
  params: viewParams,
  status: 204,
});

const exportOrderSchema = eventOrderSchema.extend({
  sort: eventOrderSchema.shape.sort.describe(
    `Order of the file. In another order than by \`time\` it has at most ${MAX_SORTED_EXPORT.toLocaleString('en-US')} events; more answer 400. Default: \`time\`.`,
  ),
  fields: z
    .string()
    .regex(/^[a-z_]{1,40}(,[a-z_]{1,40}){0,49}$/, 'must be names of fields like timestamp,model,cost_usd')
    .optional()
    .describe('CSV only: the fields to write, in this order, separated by commas. Default: all.'),
});

export const exportEventsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/events/export',
  auth: 'project',
  summary: 'All events that match, as CSV, NDJSON or Parquet',
  description:
    'Events come newest first unless `sort` or `order` says otherwise. NDJSON and Parquet have all fields, CSV leaves out prompts and the usage object. In ' +
    'Parquet, token counts are INT64, latency and cost DOUBLE, `timestamp` is TIMESTAMP in UTC milliseconds, and ' +
    '`tags`, `metadata`, `usage`, `input` and `output` are JSON texts; pages are compressed with ZSTD.',
  query: z.intersection(exportQuerySchema, exportOrderSchema),
});
