import { z } from 'zod';
import {
  getSession,
  type ListSessionsQuery,
  listSelection,
  listSessionEvents,
  listSessions,
  type SessionEventsQuery,
} from '../../core/events/index.ts';
import { defineRoute } from '../../core/tenancy/index.ts';
import type { ReadOp } from '../../db/reader.ts';
import { type AppError, notFound } from '../../errors.ts';
import { JsonText } from '../../http/reply.ts';
import {
  type SessionEventsReply,
  type SessionReply,
  type SessionsReply,
  sessionEventsQuerySchema,
  sessionEventsReplySchema,
  sessionReplySchema,
  sessionsQuerySchema,
  sessionsReplySchema,
} from './contract.ts';

export const listSessionsRead: ReadOp<ListSessionsQuery, SessionsReply> = {
  name: 'sessions.list',
  run: listSessions,
};

/** Sessions with an event, of whatever kind, that matches the filters of `GET /v1/events`. */
export const listSessionsRoute = defineRoute({
  method: 'GET',
  path: '/v1/sessions',
  auth: 'project',
  summary: 'Sessions by their last event, newest first, in pages',
  query: sessionsQuerySchema,
  reply: sessionsReplySchema,
  handler: async (ctx, { query }, { scope }) => {
    const { cursor = null, limit } = query;
    const input = { ...listSelection(query, 'all'), cursor, limit };
    return new JsonText(await ctx.db.read(listSessionsRead, [scope.no], input));
  },
});

const noSuchSession = (): AppError => notFound('There is no such session in this project');
const ofSession = z.object({ sessionId: z.string().min(1).max(500) });

export const getSessionRead: ReadOp<{ sessionId: string }, SessionReply> = {
  name: 'sessions.get',
  run: (reader, { sessionId }) => {
    const session = getSession(reader, sessionId);
    if (session === null) throw noSuchSession();
    return session;
  },
};

export const getSessionRoute = defineRoute({
  method: 'GET',
  path: '/v1/sessions/:sessionId',
  auth: 'project',
  summary: 'One session with its traces in order',
  params: ofSession,
  query: z.object({ projectId: z.string() }),
  reply: sessionReplySchema,
  handler: async (ctx, { params }, { scope }) =>
    new JsonText(await ctx.db.read(getSessionRead, [scope.no], { sessionId: params.sessionId })),
});

export const listSessionEventsRead: ReadOp<SessionEventsQuery, SessionEventsReply> = {
  name: 'sessions.events',
  run: (reader, query) => {
    const page = listSessionEvents(reader, query);
    if (page === null) throw noSuchSession();
    return page;
  },
};

export const listSessionEventsRoute = defineRoute({
  method: 'GET',
  path: '/v1/sessions/:sessionId/events',
  auth: 'project',
  summary: 'The events of one session, oldest first, in pages',
  params: ofSession,
  query: sessionEventsQuerySchema,
  reply: sessionEventsReplySchema,
  handler: async (ctx, { params, query }, { scope }) => {
    const { cursor = null, limit } = query;
    const { filters, calls } = listSelection(query, 'calls');
    const input = { sessionId: params.sessionId, filters, calls, cursor, limit };
    return new JsonText(await ctx.db.read(listSessionEventsRead, [scope.no], input));
  },
});
