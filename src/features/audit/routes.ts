import { planOf } from '../../core/orgs/index.ts';
import { PLANS } from '../../core/plans/index.ts';
import { route } from '../../core/tenancy/index.ts';
import { AppError } from '../../errors.ts';
import { exportAuditEndpoint, listAuditEndpoint, verifyAuditEndpoint } from './contract.ts';
import { listAudit } from './queries.ts';
import { toCsv } from './to-csv.ts';
import { verifyChain } from './verify.ts';

export const listRoute = route(
  listAuditEndpoint,
  async (ctx, { query: { cursor = null, ...rest } }, { organizationId }) =>
    ctx.db.read(listAudit, { projects: [], organizationId }, { cursor, ...rest }),
);

export const verifyRoute = route(verifyAuditEndpoint, (ctx, { query }, { organizationId }) =>
  verifyChain(ctx, organizationId, notedHead(query.head)),
);

export const exportRoute = route(exportAuditEndpoint, async (ctx, { query }, { organizationId }) => {
  const plan = await planOf(ctx, organizationId);
  if (!PLANS[plan].auditCsv)
    throw new AppError(
      403,
      `CSV export of the audit log requires the plan scale; this organization is on ${plan}`,
    );
  return new Response(toStream(toCsv(ctx, organizationId, query)), {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="audit-${organizationId}.csv"`,
    },
  });
});

/** Generates pages on demand, so that a slow client holds at most one page in memory. */
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
