import { z } from 'zod';
import { defineEndpoint, projectQuery } from '../tenancy/contract.ts';

/** A line that ingest refused. */
export const quarantinedLineSchema = z.object({
  id: z.string(),
  /** ISO 8601 UTC. */
  receivedAt: z.string(),
  /** Its number in the batch, from 1. */
  line: z.int(),
  error: z.string(),
  /** The event as it came, redacted; null where it was not a JSON object, or too long to keep. */
  event: z.record(z.string(), z.unknown()).nullable(),
});
export type QuarantinedLine = z.infer<typeof quarantinedLineSchema>;

export const quarantinePageSchema = z.object({
  lines: z.array(quarantinedLineSchema),
  nextCursor: z.string().nullable(),
  total: z.int(),
});
export type QuarantinePage = z.infer<typeof quarantinePageSchema>;

/** Reply of a replay: what the corrected event became. */
export const replayReplySchema = z.object({ event_id: z.string(), duplicate: z.boolean() });

export const listQuarantineEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/quarantine',
  auth: 'project',
  summary: 'Lines that ingest refused in the last 7 days, newest first',
  query: projectQuery.extend({
    cursor: z.string().optional(),
    limit: z.coerce.number('must be a number').int().min(1).max(200).default(50),
  }),
  reply: quarantinePageSchema,
});

export const replayEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/quarantine/:lineId/replay',
  auth: 'project',
  role: 'member',
  summary: 'Record a refused line, corrected',
  query: projectQuery,
  params: z.object({ lineId: z.string() }),
  body: z.object({ event: z.record(z.string(), z.unknown()) }),
  reply: replayReplySchema,
});
