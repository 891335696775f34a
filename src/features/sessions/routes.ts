import {
  getSession,
  type ListSessionsQuery,
  listSelection,
  listSessionEvents,
  listSessions,
  type SessionEventsQuery,
} from '../../core/events/index.ts';
import { route } from '../../core/tenancy/index.ts';
import type { ReadOp } from '../../db/reader.ts';
import { type AppError, notFound } from '../../errors.ts';
import { JsonText } from '../../http/reply.ts';
import {
  getSessionEndpoint,
  listSessionEventsEndpoint,
  listSessionsEndpoint,
  type SessionEventsReply,
  type SessionReply,
  type SessionsReply,
} from './contract.ts';

export const listSessionsRead: ReadOp<ListSessionsQuery, SessionsReply> = {
  name: 'sessions.list',
  run: listSessions,
};

/** Sessions with an event, of whatever kind, that matches the filters of `GET /v1/events`. */
export const listSessionsRoute = route(listSessionsEndpoint, async (ctx, { query }, { scope }) => {
  const { cursor = null, limit } = query;
  const input = { ...listSelection(query, 'all'), cursor, limit };
  return new JsonText(await ctx.db.read(listSessionsRead, [scope.no], input));
});

const noSuchSession = (): AppError => notFound('There is no such session in this project');

export const getSessionRead: ReadOp<{ sessionId: string }, SessionReply> = {
  name: 'sessions.get',
  run: (reader, { sessionId }) => {
    const session = getSession(reader, sessionId);
    if (session === null) throw noSuchSession();
    return session;
  },
};

export const getSessionRoute = route(
  getSessionEndpoint,
  async (ctx, { params }, { scope }) =>
    new JsonText(await ctx.db.read(getSessionRead, [scope.no], { sessionId: params.sessionId })),
);

export const listSessionEventsRead: ReadOp<SessionEventsQuery, SessionEventsReply> = {
  name: 'sessions.events',
  run: (reader, query) => {
    const page = listSessionEvents(reader, query);
    if (page === null) throw noSuchSession();
    return page;
  },
};

export const listSessionEventsRoute = route(
  listSessionEventsEndpoint,
  async (ctx, { params, query }, { scope }) => {
    const { cursor = null, limit } = query;
    const { filters, calls } = listSelection(query, 'calls');
    const input = { sessionId: params.sessionId, filters, calls, cursor, limit };
    return new JsonText(await ctx.db.read(listSessionEventsRead, [scope.no], input));
  },
);
