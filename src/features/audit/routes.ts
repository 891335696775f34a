import { listService, type Service } from '../../context.ts';
import { planOf } from '../../core/orgs/index.ts';
import { PLANS } from '../../core/plans/index.ts';
import { route } from '../../core/tenancy/index.ts';
import { AppError } from '../../errors.ts';
import { createShare } from '../../http/share.ts';
import type { FairGate } from '../../lib/fair-gate.ts';
import { exportAuditEndpoint, listAuditEndpoint, verifyAuditEndpoint } from './contract.ts';
import { listAudit } from './queries.ts';
import { toCsv } from './to-csv.ts';
import { verifyChain } from './verify.ts';

const exports: Service<FairGate> = {
  name: 'audit-log.exports',
  open: () =>
    createShare('audit exports', { running: { total: 8, each: 2 }, waiting: { total: 0, each: 0 } }),
};
const verifications: Service<FairGate> = {
  name: 'audit-log.verifications',
  open: () =>
    createShare('audit verifications', { running: { total: 4, each: 1 }, waiting: { total: 16, each: 4 } }),
};
export const auditServices = [listService(exports), listService(verifications)];

export const listRoute = route(
  listAuditEndpoint,
  async (ctx, { query: { cursor = null, ...rest } }, { organizationId }) =>
    ctx.db.read(listAudit, { projects: [], organizationId }, { cursor, ...rest }),
);

export const verifyRoute = route(verifyAuditEndpoint, (ctx, { query }, { organizationId }) =>
  ctx.use(verifications).run(organizationId, () => verifyChain(ctx, organizationId, notedHead(query.head))),
);

export const exportRoute = route(exportAuditEndpoint, async (ctx, { query }, { organizationId }) => {
  const plan = await planOf(ctx, organizationId);
  if (!PLANS[plan].auditCsv)
    throw new AppError(
      403,
      `CSV export of the audit log requires the plan scale; this organization is on ${plan}`,
    );
  const leave = await ctx.use(exports).enter(organizationId);
  return new Response(toStream(toCsv(ctx, organizationId, query), leave), {
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="audit-${organizationId}.csv"`,
    },
  });
});

/**
 * Generates pages on demand, so that a slow client holds at most one page in memory.
 * @param leave called when the last page is taken, the client is gone or a page cannot be read
 */
function toStream(texts: AsyncGenerator<string>, leave: () => void): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await texts.next();
        if (!done) return controller.enqueue(encoder.encode(value));
        controller.close();
      } catch (error) {
        controller.error(error);
      }
      leave();
    },
    async cancel() {
      leave();
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
