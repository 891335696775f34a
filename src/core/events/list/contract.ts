import { z } from 'zod';
import { defineEndpoint, projectIdParam } from '../../tenancy/contract.ts';
import { eventPageSchema, eventsQuerySchema, instantParam, storedEventSchema } from '../contract.ts';

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
  query: z.object({
    projectId: projectIdParam,
    timestamp: instantParam.describe('Time of the event, ISO 8601 UTC; it makes the search faster.'),
  }),
  params: z.object({ id: z.guid('must be the UUID of an event').toLowerCase().describe('Id.') }),
  reply: storedEventSchema,
});
