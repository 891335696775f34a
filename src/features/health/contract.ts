import { z } from 'zod';
import { defineEndpoint } from '../../core/tenancy/contract.ts';

const statusSchema = z.object({ status: z.literal('ok').describe('Always `ok`; a failure is an error.') });

export const aliveEndpoint = defineEndpoint({
  method: 'GET',
  path: '/healthz',
  auth: 'none',
  // An address behind which others attack must still see that the process is alive.
  limit: 'off',
  anyServer: true,
  summary: 'Check that the process answers',
  reply: statusSchema,
});

export const readyEndpoint = defineEndpoint({
  method: 'GET',
  path: '/readyz',
  auth: 'none',
  anyServer: true,
  summary: 'Check that the process can write',
  reply: statusSchema,
});

/** Reply of the action `server.notices`. */
export const noticesSchema = z.object({
  notices: z.array(
    z.object({
      since: z.string().describe('When it was first noticed, ISO 8601 UTC.'),
      text: z.string().describe('What is wrong and how to fix it.'),
    }),
  ),
});
