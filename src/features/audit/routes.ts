import { planOf } from '../../core/orgs/index.ts';
import { PLANS } from '../../core/plans/index.ts';
import { defineRoute } from '../../core/tenancy/index.ts';
import { AppError } from '../../errors.ts';
import { JsonText } from '../../http/reply.ts';
import { auditFilters, auditPageSchema, auditQuery, verifyQuery, verifyReplySchema } from './contract.ts';
import { listAudit } from './queries.ts';
import { toCsv } from './to-csv.ts';
import { verifyChain } from './verify.ts';

/** Entries have the addresses of people: for those who administer. */
const ADMIN = { auth: 'organization', role: 'admin' } as const;

export const listRoute = defineRoute({
  ...ADMIN,
  method: 'GET',
  path: '/v1/audit',
  summary: 'Who changed what in an organization, newest first',
  query: auditQuery,
  reply: auditPageSchema,
  handler: async (ctx, { query: { cursor = null, ...rest } }, { organizationId }) =>
    new JsonText(await ctx.db.read(listAudit, { projects: [], organizationId }, { cursor, ...rest })),
});

export const verifyRoute = defineRoute({
  ...ADMIN,
  method: 'GET',
  path: '/v1/audit/verify',
  summary: 'Whether the audit log is as it was written: finds edits, removals and reordering',
  query: verifyQuery,
  reply: verifyReplySchema,
  handler: (ctx, { query }, { organizationId }) => verifyChain(ctx, organizationId, notedHead(query.head)),
});

export const exportRoute = defineRoute({
  ...ADMIN,
  method: 'GET',
  path: '/v1/audit/export',
  summary: 'The audit log as CSV, oldest first, where the plan has it',
  query: auditFilters,
  handler: async (ctx, { query }, { organizationId }) => {
    const plan = await planOf(ctx, organizationId);
    if (!PLANS[plan].auditCsv)
      throw new AppError(
        403,
        `The audit log is exported as CSV on the plan scale; this organization is on ${plan}`,
      );
    return new Response(toStream(toCsv(ctx, organizationId, query)), {
      headers: {
        'Content-Type': 'text/csv; charset=utf-8',
        'Content-Disposition': `attachment; filename="audit-${organizationId}.csv"`,
        'X-Content-Type-Options': 'nosniff',
        'Cache-Control': 'no-store',
      },
    });
  },
});

/** Made as it is read: a slow reader holds nothing but a page. */
function toStream(texts: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await texts.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await texts.return(undefined);
    },
  });
}

/** `SEQ:HASH`, checked by the schema. */
export function notedHead(text: string | undefined): { seq: number; hash: string } | null {
  if (text === undefined) return null;
  const [seq = '', hash = ''] = text.split(':');
  return { seq: Number(seq), hash };
}
