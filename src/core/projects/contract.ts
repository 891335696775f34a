import { z } from 'zod';
import { displayName } from '../orgs/contract.ts';

export const projectBody = z.object({ name: displayName });

/** What of a project can be changed besides what its clients are told; what is left out stays. */
export const projectChange = z.strictObject({
  name: displayName.optional(),
  environments: z.array(z.string().trim().min(1).max(100)).max(100).optional(),
  /** Days that raw events are kept, at most the plan's; null keeps them as long as the plan does. */
  retentionDays: z.int().min(1).max(36_500).nullable().optional(),
});
export type ProjectChange = z.infer<typeof projectChange>;

export const projectReply = z.object({
  id: z.string(),
  name: z.string(),
  organizationId: z.string(),
  /** Names of environments that pages offer before an event has brought them. */
  environments: z.array(z.string()),
  /** Own setting; null where the plan's holds. */
  retentionDays: z.int().nullable(),
  /** Days in force: the lesser of the own and the plan's. */
  keptDays: z.int(),
  createdAt: z.iso.datetime(),
});
export type ProjectReply = z.infer<typeof projectReply>;
export const projectsReply = z.object({ projects: z.array(projectReply) });
export const deletedProject = z.object({ id: z.string(), name: z.string(), deletedAt: z.iso.datetime() });

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

/** What a project tells its clients, as an admin sets it. A field that is left out keeps its value. */
export const sdkConfigChange = z.strictObject({
  /** The version that was read: the change is refused (409) when it is not the current one any more. */
  version: z.int().optional(),
  sampleRate: z.number().min(0).max(1).optional(),
  /** Withheld besides the default list. */
  redactKeys: z.array(z.string().trim().min(1).max(100)).max(200).optional(),
  storePrompts: z.boolean().optional(),
  flushIntervalMs: z.int().min(100).max(600_000).optional(),
  /** Events a request; the interface allows 100. */
  maxBatchSize: z.int().min(1).max(100).optional(),
});
export type SdkConfigChange = z.infer<typeof sdkConfigChange>;

/** What a client asks for at its start and when `configVersion` of an ingest reply has changed. */
export const sdkConfig = z.object({
  version: z.int(),
  /** Fraction 0 to 1 of events to send. */
  sampleRate: z.number().min(0).max(1),
  /** Key names whose values the client withholds: to a client all, to an admin those besides the default list. */
  redactKeys: z.array(z.string()),
  /** Whether the project keeps prompt and completion text; a client sends it only then. */
  storePrompts: z.boolean(),
  flushIntervalMs: z.int(),
  maxBatchSize: z.int(),
});
export type SdkConfig = z.infer<typeof sdkConfig>;
