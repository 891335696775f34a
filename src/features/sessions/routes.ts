import { z } from 'zod';
import { getSession, type ListSessionsQuery, listSelection, listSessions } from '../../core/events/index.ts';
import type { ReadOp } from '../../db/reader.ts';
import { notFound } from '../../errors.ts';
import { JsonText } from '../../http/reply.ts';
import { defineRoute } from '../../http/route.ts';
import {
  type SessionReply,
  type SessionsReply,
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

export const getSessionRead: ReadOp<{ sessionId: string }, SessionReply> = {
  name: 'sessions.get',
  run: (reader, { sessionId }) => {
    const session = getSession(reader, sessionId);
    if (session === null) throw notFound('There is no such session in this project');
    return session;
  },
};

export const getSessionRoute = defineRoute({
  method: 'GET',
  path: '/v1/sessions/:sessionId',
  auth: 'project',
  summary: 'One session with its traces in order',
  params: z.object({ sessionId: z.string().min(1).max(500) }),
  query: z.object({ projectId: z.string() }),
  reply: sessionReplySchema,
  handler: async (ctx, { params }, { scope }) =>
    new JsonText(await ctx.db.read(getSessionRead, [scope.no], { sessionId: params.sessionId })),
});
