import { z } from 'zod';
import {
  eventPageSchema,
  eventSumsSchema,
  listQuerySchema,
  traceLineSchema,
} from '../../core/events/contract.ts';
import { lineOrderSchema } from '../../core/events/order/contract.ts';
import { defineEndpoint, projectQuery } from '../../core/tenancy/contract.ts';

/** Query of `GET /v1/sessions`: that of `GET /v1/traces`. */
const sessionsQuerySchema = z.intersection(listQuerySchema, lineOrderSchema);

/** A session with the sums of all its events. `user_id`: one of its users. */
const sessionSchema = eventSumsSchema.extend({
  session_id: z.string().describe('Id of the session.'),
  user_id: z.string().nullable().describe('One of its end users; null if none was named.'),
  traces: z.int().describe('Traces of the session.'),
});

/** Reply of `GET /v1/sessions`. A page may hold fewer than `limit` and still have one after it. */
export const sessionsReplySchema = z.object({
  sessions: z.array(sessionSchema).describe('Sessions, newest first.'),
  nextCursor: z
    .string()
    .nullable()
    .describe('Opaque; pass it as `cursor` to get the next page. Null on the last page.'),
});
export type SessionsReply = z.infer<typeof sessionsReplySchema>;

/** Reply of `GET /v1/sessions/:sessionId`. `truncated`: it has more traces than are listed. */
export const sessionReplySchema = z.object({
  session: sessionSchema.describe('Sums of the session.'),
  traces: z.array(traceLineSchema).describe('Traces of the session.'),
  truncated: z.boolean().describe('Whether there are more than the reply lists.'),
});
export type SessionReply = z.infer<typeof sessionReplySchema>;

/** Query of `GET /v1/sessions/:sessionId/events`. Calls unless `kind` asks for other spans, as in `GET /v1/events`. */
export const sessionEventsQuerySchema = z
  .object(listQuerySchema.shape)
  .pick({ projectId: true, kind: true, cursor: true, limit: true })
  .extend({
    q: z.string().min(1).max(200).optional().meta({
      description:
        'Only events with this text in their names, errors, prompts or completions, 1 to 200 characters; letters match in either case. A page may hold fewer than `limit` and still have one after it.',
      example: 'refund',
    }),
  });

/** Reply of `GET /v1/sessions/:sessionId/events`: oldest first. */
export const sessionEventsReplySchema = eventPageSchema.omit({ total: true });
export type SessionEventsReply = z.infer<typeof sessionEventsReplySchema>;

const ofSession = z.object({ sessionId: z.string().min(1).max(500).describe('Id of the session.') });

export const listSessionsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/sessions',
  auth: 'project',
  summary: 'Sessions by their last event, newest first, or in another order, in pages',
  query: sessionsQuerySchema,
  reply: sessionsReplySchema,
});

export const getSessionEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/sessions/:sessionId',
  auth: 'project',
  summary: 'One session with its traces in order',
  params: ofSession,
  query: projectQuery,
  reply: sessionReplySchema,
});

export const listSessionEventsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/sessions/:sessionId/events',
  auth: 'project',
  summary: 'The events of one session, oldest first, in pages',
  params: ofSession,
  query: sessionEventsQuerySchema,
  reply: sessionEventsReplySchema,
});
