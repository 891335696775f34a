import { z } from 'zod';
import { EXAMPLE_EVENT } from '../events/input/contract.ts';
import { defineEndpoint, projectQuery } from '../tenancy/contract.ts';

/** A line that ingest refused. */
export const quarantinedLineSchema = z
  .object({
    id: z.string().describe('Id of the line.'),
    receivedAt: z.string().describe('When it was received, ISO 8601 UTC.'),
    line: z.int().describe('Number of the line in its batch, from 1.'),
    error: z.string().describe('Why it was refused.'),
    reason: z.string().describe('The same without the values of the line; groups lines.'),
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

export const quarantineReasonsSchema = z.object({
  total: z.int().describe('Number of all refused lines.'),
  reasons: z
    .array(
      z.object({
        reason: z.string().describe('Why lines were refused, without the values of a line.'),
        lines: z.int().describe('Number of lines.'),
        replayable: z.int().describe('Those that were JSON objects and can be corrected.'),
        last: z.string().describe('When the last one was received, ISO 8601 UTC.'),
        upTo: z.string().describe('Id of the last one; changes of many lines name it.'),
      }),
    )
    .describe('Reasons, the most frequent first.'),
});
export type QuarantineReason = z.infer<typeof quarantineReasonsSchema>['reasons'][number];

const fieldName = z.string().min(1).max(100);

/** The lines that a change of many is about. */
const manySchema = z.object({
  reason: z.string().min(1).max(300).optional().describe('Only lines with this reason. Default: all.'),
  upTo: z.guid().describe('Id of the newest line to change: lines that arrive later are left as they are.'),
});
export type ManyLines = z.output<typeof manySchema>;

/** A correction of many events. */
const correctionSchema = z.object({
  rename: z
    .record(fieldName, fieldName)
    .default({})
    .describe('Fields to rename, `{"from": "to"}`; a field that is not there stays away.'),
  set: z.record(fieldName, z.unknown()).default({}).describe('Fields to set to a value.'),
  remove: z.array(fieldName).max(100).default([]).describe('Fields to remove.'),
});
export type Correction = z.output<typeof correctionSchema>;

export const replayManyReplySchema = z.object({
  recorded: z.int().describe('Lines that became events.'),
  duplicates: z.int().describe('Of these, events that had been stored before.'),
  refused: z
    .array(z.object({ reason: z.string().describe('Why.'), lines: z.int().describe('Number of lines.') }))
    .describe('Lines that are still refused and stay in the quarantine.'),
  next: z
    .string()
    .nullable()
    .describe('Pass it as `after` to go on with the lines that are left; null at the end.'),
});
export type ReplayManyReply = z.infer<typeof replayManyReplySchema>;

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
    reason: z.string().max(300).optional().describe('Only lines with this reason.'),
    cursor: z.string().optional().describe('`nextCursor` of the previous page; without one, the first page.'),
    limit: z.coerce
      .number()
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
  example: { event: EXAMPLE_EVENT },
  reply: replayReplySchema,
});

export const quarantineReasonsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/quarantine/reasons',
  auth: 'project',
  summary: 'Count refused lines by reason',
  query: projectQuery,
  reply: quarantineReasonsSchema,
});

export const dismissEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/quarantine/dismiss',
  auth: 'project',
  role: 'member',
  summary: 'Delete refused lines: some by their ids, or all of a reason',
  query: projectQuery,
  body: z.union([
    z.strictObject({ ids: z.array(z.guid()).min(1).max(500).describe('Ids of lines.') }),
    manySchema.strict(),
  ]),
  example: { upTo: '019aa9b1-5a0c-7000-8000-4b6e1c1f2d3e' },
  reply: z.object({ dismissed: z.int().describe('Number of deleted lines.') }),
});

export const replayManyEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/quarantine/replay',
  auth: 'project',
  role: 'member',
  summary: 'Record refused lines of a reason, corrected in the same way; up to 100 at a time, oldest first',
  description: 'Lines that the correction does not mend stay. Repeat with `after` until `next` is null.',
  query: projectQuery,
  body: manySchema
    .extend({
      after: z.guid().optional().describe('`next` of the previous reply; without it, the oldest lines.'),
      correction: correctionSchema
        .optional()
        .describe('What to change in each event: `rename`, then `remove`, then `set`.'),
    })
    .strict(),
  example: { upTo: '019aa9b1-5a0c-7000-8000-4b6e1c1f2d3e', correction: { rename: { modelName: 'model' } } },
  reply: replayManyReplySchema,
});
