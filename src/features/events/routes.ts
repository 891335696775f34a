import { findEvent, type ListEventsQuery, listEvents, listSelection } from '../../core/events/index.ts';
import { route } from '../../core/tenancy/index.ts';
import type { ReadOp } from '../../db/reader.ts';
import { notFound } from '../../errors.ts';
import { JsonText } from '../../http/reply.ts';
import { getEventEndpoint, listEventsEndpoint } from './contract.ts';

export const listEventsRead: ReadOp<ListEventsQuery> = { name: 'events.list', run: listEvents };

/** interface.md, GET /v1/events. Only calls unless `kind` asks for other spans. */
export const listEventsRoute = route(listEventsEndpoint, async (ctx, { query }, { scope }) => {
  const { cursor = null, limit } = query;
  const input = { ...listSelection(query, 'calls'), cursor, limit };
  return new JsonText(await ctx.db.read(listEventsRead, [scope.no], input));
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
export const getEventRoute = route(
  getEventEndpoint,
  async (ctx, { params, query }, { scope }) =>
    new JsonText(await ctx.db.read(getEventRead, [scope.no], { id: params.id, ts: query.timestamp ?? null })),
);
