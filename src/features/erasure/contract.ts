import { z } from 'zod';
import { defineEndpoint, projectParams } from '../../core/tenancy/contract.ts';

/** The end user whose traces are to go, as events name it in `user_id`. */
export const erasureBody = z.strictObject({
  userId: z.string().min(1).max(500).describe('Id of the end user, as events name it in `user_id`.'),
});

/** A request to erase an end user. */
export const erasureSchema = z
  .object({
    id: z.string().describe('Id of the erasure.'),
    status: z.enum(['running', 'done']).describe('Whether it still runs.'),
    requestedAt: z.string().describe('When it was requested, ISO 8601 UTC.'),
    finishedAt: z.string().nullable().describe('When it was done, ISO 8601 UTC; null while it runs.'),
    requestedBy: z.string().describe('Id of the person who asked, or `operator:<login name>`.'),
    userDigest: z
      .string()
      .describe("HMAC-SHA256 of the end user's id; equal for requests about the same end user."),
    waitsFor: z
      .string()
      .nullable()
      .describe('What keeps it from ending, if damaged events may be of the end user; null otherwise.'),
    progress: z.number().describe("Fraction of the project's events that were searched, 0 to 1."),
    deleted: z
      .object({
        events: z.int().describe('Number of deleted events.'),
        refusedLines: z.int().describe('Number of deleted quarantined lines.'),
      })
      .describe('What was deleted.'),
  })
  .meta({ id: 'Erasure' });
export type Erasure = z.infer<typeof erasureSchema>;

export const erasuresSchema = z.object({
  erasures: z.array(erasureSchema).describe('Erasures, newest first.'),
});

export const postErasureEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/projects/:id/erasures',
  auth: 'project',
  role: 'admin',
  summary: 'Erase an end user: events, their share of all sums, quarantined lines',
  params: projectParams,
  body: erasureBody,
  example: { userId: 'customer-17' },
  reply: erasureSchema,
  status: 202,
});

export const getErasuresEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/projects/:id/erasures',
  auth: 'project',
  role: 'admin',
  summary: 'List erasures of end users, newest first',
  params: projectParams,
  reply: erasuresSchema,
});

export const getErasureEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/projects/:id/erasures/:erasureId',
  auth: 'project',
  role: 'admin',
  summary: 'Get an erasure with its progress',
  params: projectParams.extend({ erasureId: z.string().describe('Id of the erasure.') }),
  reply: erasureSchema,
});
