import { z } from 'zod';
import { defineEndpoint, projectParams } from '../../core/tenancy/contract.ts';

/** The end user whose traces are to go, as events name it in `user_id`. */
export const erasureBody = z.strictObject({ userId: z.string().min(1).max(500) });

/** A request to erase an end user. */
export const erasureSchema = z.object({
  id: z.string(),
  status: z.enum(['running', 'done']),
  /** ISO 8601 UTC. */
  requestedAt: z.string(),
  finishedAt: z.string().nullable(),
  /** Id of the person who asked, or `operator:<login name>`. */
  requestedBy: z.string(),
  /**
   * HMAC-SHA256 of the end user by the server's secret, which tells requests for the same one; the user's id
   * itself is forgotten when the erasure is done.
   */
  userDigest: z.string(),
  /** Fraction 0 to 1 of the project's events that were looked through. */
  progress: z.number(),
  deleted: z.object({ events: z.int(), refusedLines: z.int() }),
});
export type Erasure = z.infer<typeof erasureSchema>;

export const erasuresSchema = z.object({ erasures: z.array(erasureSchema) });

export const postErasureEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/projects/:id/erasures',
  auth: 'project',
  role: 'admin',
  summary: 'Erase all that is kept of an end user: events, their part in all sums, refused lines',
  params: projectParams,
  body: erasureBody,
  reply: erasureSchema,
  status: 202,
});

export const getErasuresEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/projects/:id/erasures',
  auth: 'project',
  role: 'admin',
  summary: 'Erasures of end users, newest first, with their progress',
  params: projectParams,
  reply: erasuresSchema,
});

export const getErasureEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/projects/:id/erasures/:erasureId',
  auth: 'project',
  role: 'admin',
  summary: 'How far an erasure is',
  params: projectParams.extend({ erasureId: z.string().describe('Id of the erasure.') }),
  reply: erasureSchema,
});
