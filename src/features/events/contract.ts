import { z } from 'zod';
import {
  costFilterSchema,
  eventPageSchema,
  eventsQuerySchema,
  exportQuerySchema,
  instantParam,
  listQuerySchema,
  storedEventSchema,
} from '../../core/events/contract.ts';
import { defineEndpoint, projectQuery } from '../../core/tenancy/contract.ts';

/** Most views of a project. */
export const MAX_VIEWS = 100;

const { environment, model, provider, status, kind, errorCode, userId, sessionId } = listQuerySchema.shape;

/**
 * What a view keeps of the address of the events page: filters and columns. The time range is not part of
 * it: that is of whoever looks, and when.
 */
export const viewSearchSchema = z.strictObject({
  environment,
  status,
  kind,
  model,
  provider,
  errorCode,
  userId,
  sessionId,
  ...costFilterSchema.shape,
  /** Ids of columns, in any order; those that a page does not know it leaves out. */
  columns: z
    .string()
    .regex(/^[a-z]{1,30}(,[a-z]{1,30}){0,49}$/, 'must be names of columns like time,model,cost')
    .optional(),
});
export type ViewSearch = z.output<typeof viewSearchSchema>;

const viewName = z.string().trim().min(1).max(80);

/** Body of `POST /v1/events/views`. */
export const viewBodySchema = z.strictObject({ name: viewName, search: viewSearchSchema });
export type ViewBody = z.output<typeof viewBodySchema>;

/** Body of `PUT /v1/events/views/:id`: what is left out stays. */
export const viewChangeSchema = viewBodySchema
  .partial()
  .refine(({ name, search }) => name !== undefined || search !== undefined, 'give name, search or both');
export type ViewChange = z.output<typeof viewChangeSchema>;

export const savedViewSchema = z.object({
  id: z.string(),
  name: z.string(),
  search: z.record(z.string(), z.string()),
  /** The id of who made it, and their name; null when they have no account any more. */
  createdBy: z.string(),
  author: z.string().nullable(),
  updatedAt: z.iso.datetime(),
});
export type SavedView = z.infer<typeof savedViewSchema>;
export const viewsReplySchema = z.object({ views: z.array(savedViewSchema) });
export type ViewsReply = z.infer<typeof viewsReplySchema>;

const viewParams = z.object({ id: z.string().max(100).describe('Id of the view.') });

export const getViewsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/events/views',
  auth: 'project',
  summary: 'The saved views of the events page, by name',
  query: projectQuery,
  reply: viewsReplySchema,
});

export const postViewEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/events/views',
  auth: 'project',
  role: 'member',
  summary: 'Save filters and columns of the events page under a name, for everybody in the project',
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
  summary: 'Rename a saved view or have it keep other filters; an own one, an admin any',
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
  summary: 'Delete a saved view; an own one, an admin any',
  query: projectQuery,
  params: viewParams,
  status: 204,
});

export const listEventsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/events',
  auth: 'project',
  summary: 'Events, newest first, in pages',
  query: eventsQuerySchema,
  reply: eventPageSchema,
});

export const getEventEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/events/:id',
  auth: 'project',
  summary: 'One event, by its id',
  query: z.object({ projectId: z.string(), timestamp: instantParam }),
  params: z.object({ id: z.guid('must be the UUID of an event').toLowerCase() }),
  reply: storedEventSchema,
});

export const exportEventsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/events/export',
  auth: 'project',
  summary: 'All events that match, as CSV or NDJSON',
  query: exportQuerySchema,
});
