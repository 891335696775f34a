import { z } from 'zod';
import { defineEndpoint } from '../../core/tenancy/contract.ts';

/** Most events in one batch (interface.md, Limits). */
export const MAX_BATCH_EVENTS = 100;

/** Reply of `POST /v1/ingest` (decisions.md, Ingest). */
export const ingestReplySchema = z.object({
  /** Valid events of the batch that are in the store now, duplicates included. */
  accepted: z.int(),
  /** Those of them that had been stored before. */
  duplicates: z.int(),
  /** Lines that were refused, counted from 1; they can be corrected and replayed for 7 days. */
  rejected: z.array(z.object({ line: z.int(), error: z.string() })),
  /** Version of the project's client configuration: a client that knows an older one fetches it. */
  configVersion: z.int(),
});
export type IngestReply = z.infer<typeof ingestReplySchema>;

export const ingestEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/ingest',
  auth: 'key',
  summary: 'Record a batch of at most 100 events (NDJSON, gzip or plain)',
  status: 202,
  reply: ingestReplySchema,
});
