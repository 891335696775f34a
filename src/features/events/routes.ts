import { z } from 'zod';
import {
  eventPageSchema,
  eventsQuerySchema,
  instantParam,
  storedEventSchema,
} from '../../core/events/contract.ts';
import { findEvent, type ListEventsQuery, listEvents, listSelection } from '../../core/events/index.ts';
import { defineRoute } from '../../core/tenancy/index.ts';
import type { ReadOp } from '../../db/reader.ts';
import { notFound } from '../../errors.ts';
import { JsonText } from '../../http/reply.ts';

export const listEventsRead: ReadOp<ListEventsQuery> = { name: 'events.list', run: listEvents };

/** interface.md, GET /v1/events. Only calls unless `kind` asks for other spans. */
export const listEventsRoute = defineRoute({
  method: 'GET',
  path: '/v1/events',
  auth: 'project',
  summary: 'Events, newest first, in pages',
  query: eventsQuerySchema,
  reply: eventPageSchema,
  handler: async (ctx, { query }, { scope }) => {
    const { cursor = null, limit } = query;
    const input = { ...listSelection(query, 'calls'), cursor, limit };
    return new JsonText(await ctx.db.read(listEventsRead, [scope.no], input));
  },
});

export const getEventRead: ReadOp<{ id: string; ts: number | null }> = {
  name: 'events.get',
  run(reader, { id, ts }) {
    const found = findEvent(reader, id, ts);
    if (found === null) throw notFound(`There is no event ${id} in this project`);
    return found.event;
  },
};

/** Its time, where it is known, spares a search for ids that do not begin with theirs. */
export const getEventRoute = defineRoute({
  method: 'GET',
  path: '/v1/events/:id',
  auth: 'project',
  summary: 'One event, by its id',
  query: z.object({ projectId: z.string(), timestamp: instantParam }),
  params: z.object({ id: z.guid('must be the UUID of an event').toLowerCase() }),
  reply: storedEventSchema,
  handler: async (ctx, { params, query }, { scope }) =>
    new JsonText(await ctx.db.read(getEventRead, [scope.no], { id: params.id, ts: query.timestamp ?? null })),
});
