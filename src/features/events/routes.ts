import { eventPageSchema, eventsQuerySchema } from '../../core/events/contract.ts';
import { type ListEventsQuery, listEvents, listSelection } from '../../core/events/index.ts';
import type { ReadOp } from '../../db/reader.ts';
import { JsonText } from '../../http/reply.ts';
import { defineRoute } from '../../http/route.ts';

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
