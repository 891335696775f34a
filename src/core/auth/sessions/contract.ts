import { z } from 'zod';
import { defineEndpoint } from '../../tenancy/contract.ts';

export const sessionRow = z.object({
  id: z.string().describe('Id.'),
  createdAt: z.iso.datetime().describe('When the login session began, ISO 8601 UTC.'),
  expiresAt: z.iso.datetime().describe('When the login session ends, ISO 8601 UTC.'),
  ipAddress: z.string().nullable().describe('Address from which the login session began; null if unknown.'),
  userAgent: z.string().nullable().describe('`User-Agent` of the request; null if it had none.'),
  current: z.boolean().describe('Whether it is the login session of this request.'),
});
export const sessionsReply = z.object({
  sessions: z.array(sessionRow).describe('Login sessions of the person, newest first.'),
});
export const endedReply = z.object({ ended: z.int().describe('Number of login sessions that were ended.') });

export const getSessionsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/auth/sessions',
  auth: 'session',
  summary: 'List your login sessions, newest first',
  reply: sessionsReply,
});

export const deleteSessionsEndpoint = defineEndpoint({
  method: 'DELETE',
  path: '/v1/auth/sessions',
  auth: 'session',
  summary: 'End all your login sessions but this one',
  reply: endedReply,
});

export const deleteSessionEndpoint = defineEndpoint({
  method: 'DELETE',
  path: '/v1/auth/sessions/:sessionId',
  auth: 'session',
  summary: 'End one of your login sessions',
  params: z.object({ sessionId: z.string().describe('Id of the login session.') }),
  status: 204,
});
