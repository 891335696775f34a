import { z } from 'zod';
import { instantParam, textParam } from '../../core/events/contract.ts';
import { defineEndpoint, organizationQuery } from '../../core/tenancy/contract.ts';

/** One entry of the audit log. */
export const auditEntrySchema = z.object({
  id: z.string(),
  /** Its place in the organization's chain, from 1, without gaps. */
  seq: z.int(),
  /** ISO 8601 UTC. */
  timestamp: z.string(),
  /** `id` is a user's, `operator:<login name>` or `system:<job>`. */
  actor: z.object({
    kind: z.enum(['user', 'operator', 'system']),
    id: z.string(),
    email: z.string().nullable(),
  }),
  organizationId: z.string(),
  projectId: z.string().nullable(),
  action: z.string(),
  subject: z.object({ type: z.string(), id: z.string() }).nullable(),
  /** States of what was changed; null where there was none, or nothing to show. */
  before: z.unknown(),
  after: z.unknown(),
  source: z.object({ address: z.string().nullable(), userAgent: z.string().nullable() }),
  /** SHA-256 in hex over the entry with `previousHash`. */
  hash: z.string(),
  previousHash: z.string(),
});
export type AuditEntry = z.infer<typeof auditEntrySchema>;

export const auditPageSchema = z.object({
  entries: z.array(auditEntrySchema),
  nextCursor: z.string().nullable(),
});
export type AuditPage = z.infer<typeof auditPageSchema>;

const filterParams = {
  /** Entries at or after, and at or before. */
  start: instantParam,
  end: instantParam,
  /** `project.created`; or `project.` for all that begin so. */
  action: textParam(100),
  /** Id or e-mail address. */
  actor: textParam(300),
  projectId: textParam(100),
};
export const auditFilters = organizationQuery.extend(filterParams);
export type AuditFilters = Omit<z.output<typeof auditFilters>, 'organizationId'>;

export const auditQuery = organizationQuery.extend({
  ...filterParams,
  cursor: textParam(20),
  limit: z.coerce.number('must be a number').int().min(1).max(200).default(50),
});

const head = z.object({ seq: z.int(), hash: z.string() });

export const verifyQuery = organizationQuery.extend({
  /** A head that was noted down before, as `seq:hash`: the chain has to hold it still. */
  head: z
    .string()
    .regex(/^\d{1,15}:[0-9a-f]{64}$/, 'must be SEQ:HASH as an earlier verification gave it')
    .optional(),
});

export const verifyReplySchema = z.object({
  organizationId: z.string(),
  ok: z.boolean(),
  /** Entries that were checked. */
  entries: z.int(),
  /** The end of the chain: note it down elsewhere to find later what an owner of the file may do to it. */
  head: head.nullable(),
  /** What does not fit, the first 20. */
  problems: z.array(z.object({ seq: z.int(), problem: z.string() })),
});
export type VerifyReply = z.infer<typeof verifyReplySchema>;

export const listAuditEndpoint = defineEndpoint({
  auth: 'organization',
  role: 'admin',
  method: 'GET',
  path: '/v1/audit',
  summary: 'Who changed what in an organization, newest first',
  query: auditQuery,
  reply: auditPageSchema,
});

export const verifyAuditEndpoint = defineEndpoint({
  auth: 'organization',
  role: 'admin',
  method: 'GET',
  path: '/v1/audit/verify',
  summary: 'Whether the audit log is as it was written: finds edits, removals and reordering',
  query: verifyQuery,
  reply: verifyReplySchema,
});

export const exportAuditEndpoint = defineEndpoint({
  auth: 'organization',
  role: 'admin',
  method: 'GET',
  path: '/v1/audit/export',
  summary: 'The audit log as CSV, oldest first, where the plan has it',
  query: auditFilters,
});
