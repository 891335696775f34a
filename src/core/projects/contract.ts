import { z } from 'zod';

/** A project as lists show it. */
export type ProjectRow = {
  readonly id: string;
  /** The project's number in the event store. */
  readonly no: number;
  readonly name: string;
  readonly organizationId: string;
  readonly organizationName: string;
  /** ISO 8601 UTC. */
  readonly createdAt: string;
};

/** What a client asks for at its start and when `configVersion` of an ingest reply has changed. */
export const sdkConfig = z.object({
  version: z.int(),
  /** Fraction 0 to 1 of events to send. */
  sampleRate: z.number().min(0).max(1),
  /** All key names whose values the client withholds. */
  redactKeys: z.array(z.string()),
  /** Whether the project keeps prompt and completion text; a client sends it only then. */
  storePrompts: z.boolean(),
  flushIntervalMs: z.int(),
  maxBatchSize: z.int(),
});
export type SdkConfig = z.infer<typeof sdkConfig>;
