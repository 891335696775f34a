import { z } from 'zod';
import { defineEndpoint, projectQuery } from '../../core/tenancy/contract.ts';

/** Stored events that can't be read. */
export const damageSchema = z.object({
  kind: z
    .enum(['segment', 'batch'])
    .describe(
      '`segment`: sealed events, which are in all totals. `batch`: recent events, which are in none.',
    ),
  no: z.int().describe('Number of the segment or batch.'),
  state: z
    .enum(['damaged', 'lost'])
    .describe('`damaged`: the bytes are kept and may become readable. `lost`: an operator gave them up.'),
  events: z.int().describe('Number of events.'),
  from: z.string().describe('Time of the first event, ISO 8601 UTC.'),
  to: z.string().describe('Time of the last event, ISO 8601 UTC.'),
});
export type DamageRow = z.infer<typeof damageSchema>;

export const damageListSchema = z.object({
  damage: z.array(damageSchema).describe('Known damage, oldest events first; empty as a rule.'),
});

export const damageEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/damage',
  auth: 'project',
  summary: 'List stored events of a project that cannot be read',
  query: projectQuery,
  reply: damageListSchema,
});

/** Reply of the action `events.check`, by project. */
export const checkedSchema = z.object({
  projects: z.array(
    z.object({
      projectId: z.string(),
      name: z.string(),
      segments: z.int(),
      batches: z.int(),
      restored: z.int(),
      damage: z.array(damageSchema),
    }),
  ),
});
export type Checked = z.infer<typeof checkedSchema>;

/** Reply of the action `events.drop_damaged`. */
export const droppedSchema = z.object({ dropped: z.array(damageSchema) });
