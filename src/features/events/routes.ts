import type { Ctx } from '../../context.ts';
import type { StoredEvent } from '../../core/events/contract.ts';
import { type EventQuery, eventsOf, listSelection } from '../../core/events/index.ts';
import { getEventEndpoint, listEventsEndpoint } from '../../core/events/list/contract.ts';
import { type EventScope, ofProject, route } from '../../core/tenancy/index.ts';
import { notFound } from '../../errors.ts';

/** Only calls unless `kind` asks for other spans. */
export const listEventsRoute = route(listEventsEndpoint, (ctx, { query }, { scope }) => {
  const { cursor = null, limit } = query;
  return eventsOf(ctx).events(ofProject(scope), { ...listSelection(query, 'calls'), cursor, limit });
});

/** One event. Throws AppError 404. */
export async function readEvent(ctx: Ctx, scope: EventScope, query: EventQuery): Promise<StoredEvent> {
  const found = await eventsOf(ctx).event(scope, query);
  if (found === null) throw notFound(`There is no event ${query.id} in this project`);
  return found.event;
}

/** Its time, where it is known, spares a search for ids that do not begin with theirs. */
export const getEventRoute = route(getEventEndpoint, (ctx, { params, query }, { scope }) =>
  readEvent(ctx, ofProject(scope), { id: params.id, ts: query.timestamp ?? null }),
);
