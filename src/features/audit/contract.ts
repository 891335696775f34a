import { z } from 'zod';
import { instantParam, textParam } from '../../core/events/contract.ts';
import { defineEndpoint, organizationQuery } from '../../core/tenancy/contract.ts';

/** One entry of the audit log. */
export const auditEntrySchema = z
  .object({
    id: z.string().describe('Id of the entry.'),
    seq: z.int().describe("Place in the organization's chain, from 1, without gaps."),
    timestamp: z.string().describe('Time, ISO 8601 UTC.'),
    actor: z
      .object({
        kind: z
          .enum(['user', 'token', 'operator', 'system'])
          .describe('`user`, `token` (an access token), `operator` (command line) or `system` (a job).'),
        id: z.string().describe('Id of the user or access token, `operator:NAME` or `system:JOB`.'),
        email: z
          .string()
          .nullable()
          .describe(
            'Email address of the user, for a token of the user who created it; null if there is none.',
          ),
      })
      .describe('Who did it: an id or email address.'),
    organizationId: z.string().describe('Id of the organization.'),
    projectId: z.string().nullable().describe('Id of the project; null if it concerns none.'),
    action: z.string().describe('Action, such as `project.created`.'),
    subject: z
      .object({
        type: z.string().describe('Type of the subject.'),
        id: z.string().describe('Id of the entry.'),
      })
      .nullable()
      .describe('What was changed; null if it is nothing with an id.'),
    before: z.unknown().describe('State before; null if there was none.'),
    after: z.unknown().describe('State after; null if there is none.'),
    source: z
      .object({
        address: z.string().nullable().describe('Address of the request; null if it had none.'),
        userAgent: z.string().nullable().describe('`User-Agent` of the request; null if it had none.'),
      })
      .describe('Where the request came from.'),
    hash: z.string().describe('SHA-256 in hex over the entry with `previousHash`.'),
    previousHash: z.string().describe('`hash` of the entry before it.'),
  })
  .meta({ id: 'AuditEntry' });
export type AuditEntry = z.infer<typeof auditEntrySchema>;

export const auditPageSchema = z.object({
  entries: z.array(auditEntrySchema).describe('Entries of the page.'),
  nextCursor: z
    .string()
    .nullable()
    .describe('Opaque; pass it as `cursor` to get the next page. Null on the last page.'),
});
export type AuditPage = z.infer<typeof auditPageSchema>;

const filterParams = {
  start: instantParam.describe('Entries at or after this time: ISO 8601 in UTC.'),
  end: instantParam.describe('Entries at or before this time: ISO 8601 in UTC.'),
  action: textParam(100).describe(
    'Only this action, such as `project.created`; `project.` matches all that start so.',
  ),
  actor: textParam(300).describe('Who did it: an id or email address.'),
  projectId: textParam(100).describe('Id of the project; null if it concerns none.'),
};
export const auditFilters = organizationQuery.extend(filterParams);
export type AuditFilters = Omit<z.output<typeof auditFilters>, 'organizationId'>;

export const auditQuery = organizationQuery.extend({
  ...filterParams,
  cursor: textParam(20).describe('`nextCursor` of the previous page; without one, the first page.'),
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(200)
    .default(50)
    .describe('Most entries in a page, 1 to 200. Default: 50.'),
});

const head = z.object({
  seq: z.int().describe('Place in the chain, from 1, without gaps.'),
  hash: z.string().describe('SHA-256 in hex over the entry with `previousHash`.'),
});

export const verifyQuery = organizationQuery.extend({
  head: z
    .string()
    .regex(/^\d{1,15}:[0-9a-f]{64}$/, 'must be SEQ:HASH as an earlier verification gave it')
    .optional()
    .describe('An end of the chain noted earlier, `SEQ:HASH`: it must still be in the chain.'),
});

export const verifyReplySchema = z.object({
  organizationId: z.string().describe('Id of the organization.'),
  ok: z.boolean().describe('Whether the chain is intact.'),
  entries: z.int().describe('Number of entries that were checked.'),
  head: head
    .nullable()
    .describe('End of the chain; null for an empty one. Note it elsewhere to detect later changes.'),
  problems: z
    .array(
      z.object({
        seq: z.int().describe('Place in the chain, from 1, without gaps.'),
        problem: z.string().describe('The problem in words.'),
      }),
    )
    .describe('What does not fit; at most 20.'),
});
export type VerifyReply = z.infer<typeof verifyReplySchema>;

export const listAuditEndpoint = defineEndpoint({
  auth: 'organization',
  role: 'admin',
  method: 'GET',
  path: '/v1/audit',
  summary: 'List who changed what in an organization, newest first',
  query: auditQuery,
  reply: auditPageSchema,
});

export const verifyAuditEndpoint = defineEndpoint({
  auth: 'organization',
  role: 'admin',
  method: 'GET',
  path: '/v1/audit/verify',
  summary: 'Verify the audit log: find edits, removals and reordering',
  query: verifyQuery,
  reply: verifyReplySchema,
});

export const exportAuditEndpoint = defineEndpoint({
  auth: 'organization',
  role: 'admin',
  method: 'GET',
  path: '/v1/audit/export',
  summary: 'Export the audit log as CSV, oldest first, if the plan includes it',
  query: auditFilters,
});
