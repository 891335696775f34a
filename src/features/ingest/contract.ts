import { z } from 'zod';
import { EXAMPLE_EVENT, eventInputSchema } from '../../core/events/input/contract.ts';
import { defineEndpoint } from '../../core/tenancy/contract.ts';

const MB = 1_048_576;

/** Maximum number of events per batch. */
export const MAX_BATCH_EVENTS = 100;

/** Reply of `POST /v1/ingest`. */
export const ingestReplySchema = z
  .object({
    accepted: z.int().describe('Valid events of the batch that are stored now, duplicates included.'),
    duplicates: z.int().describe('Accepted events that had been stored before.'),
    rejected: z
      .array(
        z.object({
          line: z.int().describe('Number of the line, from 1.'),
          error: z.string().describe('Why the line was refused.'),
        }),
      )
      .describe('Lines that were refused; you can correct and replay them in Quarantine for 7 days.'),
    warnings: z
      .array(
        z.object({
          line: z.int().describe('Number of the first line with it.'),
          lines: z.int().describe('Number of lines with it.'),
          message: z.string().describe('What became of the field, and which one is probably meant.'),
        }),
      )
      .optional()
      .describe(
        'Fields that look misspelled, or were dropped because they may hold a prompt; at most 10. Absent without any.',
      ),
    configVersion: z
      .int()
      .describe("Version of the project's SDK settings; fetch them when it is newer than yours."),
  })
  .meta({ id: 'IngestReply' });
export type IngestReply = z.infer<typeof ingestReplySchema>;

export const ingestEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/ingest',
  auth: 'key',
  anyServer: true,
  summary: 'Record a batch of at most 100 events (NDJSON, gzip or plain)',
  description:
    'One JSON object per line, at most 100 lines and 10 MB (1 MB compressed). When the reply arrives, the events are on disk and visible. Lines that are not valid are refused one by one and kept in Quarantine for 7 days; a batch without any valid line is answered 400. Sending an `event_id` again stores nothing twice.',
  rawBody: {
    'application/x-ndjson': { schema: eventInputSchema, example: EXAMPLE_EVENT },
  },
  bodyLimits: { maxCompressed: MB, maxRaw: 10 * MB, encodings: ['gzip', 'deflate'] },
  status: 202,
  reply: ingestReplySchema,
});
