import { eventsOf, listSelection } from '../../core/events/index.ts';
import { getEventEndpoint, listEventsEndpoint } from '../../core/events/list/contract.ts';
import { ofProject, route } from '../../core/tenancy/index.ts';
import { notFound } from '../../errors.ts';

/** Only calls unless `kind` asks for other spans. */
export const listEventsRoute = route(listEventsEndpoint, (ctx, { query }, { scope }) => {
  const { cursor = null, limit } = query;
  return eventsOf(ctx).events(ofProject(scope), { ...listSelection(query, 'calls'), cursor, limit });
});

/** Its time, where it is known, spares a search for ids that do not begin with theirs. */
export const getEventRoute = route(getEventEndpoint, async (ctx, { params, query }, { scope }) => {
  const { id } = params;
  const found = await eventsOf(ctx).event(ofProject(scope), { id, ts: query.timestamp ?? null });
  if (found === null) throw notFound(`There is no event ${id} in this project`);
  return found.event;
});
