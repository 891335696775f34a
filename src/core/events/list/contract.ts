import { z } from 'zod';
import { defineEndpoint, projectIdParam } from '../../tenancy/contract.ts';
import {
  eventPageSchema,
  eventsQuerySchema,
  instantParam,
  type StoredEvent,
  storedEventSchema,
} from '../contract.ts';
import { eventOrderSchema } from '../order/contract.ts';

export const listEventsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/events',
  auth: 'project',
  summary: 'Events, newest first or in another order, in pages',
  ignoresUnknown: true,
  query: z.intersection(eventsQuerySchema, eventOrderSchema),
  reply: eventPageSchema,
});

const oneEvent = {
  query: z.object({
    projectId: projectIdParam,
    timestamp: instantParam.describe('Time of the event, ISO 8601 UTC; it makes the search faster.'),
  }),
  params: z.object({ id: z.guid('must be the UUID of an event').toLowerCase().describe('Id.') }),
};

export const getEventEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/events/:id',
  auth: 'project',
  summary: 'One event, by its id',
  ...oneEvent,
  reply: storedEventSchema,
});

/** What an event is found by. */
export type EventPlace = Pick<StoredEvent, 'event_id' | 'timestamp'>;

const neighbourSchema = storedEventSchema.pick({ event_id: true, timestamp: true, model: true }).nullable();

export const neighboursEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/events/:id/neighbours',
  auth: 'project',
  summary: 'The calls before and after an event in its session',
  description: 'Calls within 31 days of the event. Both are null for an event without a session.',
  ...oneEvent,
  reply: z.object({
    previous: neighbourSchema.describe('The call of a model before it in its session; null without one.'),
    next: neighbourSchema.describe('The call of a model after it in its session; null without one.'),
  }),
});
