import { eventsOf, listSelection, orderOf } from '../../core/events/index.ts';
import { ofProject, route } from '../../core/tenancy/index.ts';
import { getSessionEndpoint, listSessionEventsEndpoint, listSessionsEndpoint } from './contract.ts';
import { foundSession, readSession } from './read-session.ts';

/** Sessions with an event, of whatever kind, that matches the filters of `GET /v1/events`. */
export const listSessionsRoute = route(listSessionsEndpoint, (ctx, { query }, { scope }) => {
  const { cursor = null, limit } = query;
  const page = { order: orderOf(query), cursor, limit };
  return eventsOf(ctx).sessions(ofProject(scope), { ...listSelection(query, 'all'), ...page });
});

export const getSessionRoute = route(getSessionEndpoint, (ctx, { params }, { scope }) =>
  readSession(ctx, ofProject(scope), params.sessionId),
);

export const listSessionEventsRoute = route(
  listSessionEventsEndpoint,
  async (ctx, { params, query }, { scope }) => {
    const { cursor = null, limit, q } = query;
    const { filters, calls } = listSelection(query, 'calls');
    const text = q === undefined ? {} : { text: q };
    const input = { sessionId: params.sessionId, filters, calls, ...text, cursor, limit };
    return foundSession(await eventsOf(ctx).sessionEvents(ofProject(scope), input));
  },
);
