import { z } from 'zod';
import { defineEndpoint, projectQuery } from '../tenancy/contract.ts';

/** A line that ingest refused. */
export const quarantinedLineSchema = z
  .object({
    id: z.string().describe('Id of the line.'),
    receivedAt: z.string().describe('When it was received, ISO 8601 UTC.'),
    line: z.int().describe('Number of the line in its batch, from 1.'),
    error: z.string().describe('Why it was refused.'),
    event: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('The event as it was sent, redacted; null if it was not a JSON object or too long to keep.'),
  })
  .meta({ id: 'QuarantinedLine' });
export type QuarantinedLine = z.infer<typeof quarantinedLineSchema>;

export const quarantinePageSchema = z.object({
  lines: z.array(quarantinedLineSchema).describe('Refused lines, newest first.'),
  nextCursor: z
    .string()
    .nullable()
    .describe('Opaque; pass it as `cursor` to get the next page. Null on the last page.'),
  total: z.int().describe('Number of all refused lines.'),
  dropped: z
    .object({
      lines: z.int().describe('Number of deleted lines.'),
      since: z.string().describe('When the first of them was deleted, ISO 8601 UTC.'),
    })
    .nullable()
    .describe(
      'The oldest lines, deleted early because a project keeps at most 10,000 lines and 16 MB; null if there were none in the last 7 days.',
    ),
});
export type QuarantinePage = z.infer<typeof quarantinePageSchema>;

/** Reply of a replay: what the corrected event became. */
export const replayReplySchema = z.object({
  event_id: z.string().describe('Id of the event, a UUID.'),
  duplicate: z.boolean().describe('Whether the event had been stored before.'),
});

export const listQuarantineEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/quarantine',
  auth: 'project',
  summary: 'List lines that ingest refused in the last 7 days, newest first',
  query: projectQuery.extend({
    cursor: z.string().optional().describe('`nextCursor` of the previous page; without one, the first page.'),
    limit: z.coerce
      .number('must be a number')
      .int()
      .min(1)
      .max(200)
      .default(50)
      .describe('Most lines in a page, 1 to 200. Default: 50.'),
  }),
  reply: quarantinePageSchema,
});

export const replayEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/quarantine/:lineId/replay',
  auth: 'project',
  role: 'member',
  summary: 'Record a refused line after correcting it',
  query: projectQuery,
  params: z.object({ lineId: z.string().describe('Id of the line.') }),
  body: z.object({
    event: z.record(z.string(), z.unknown()).describe('The corrected event.'),
  }),
  reply: replayReplySchema,
});
