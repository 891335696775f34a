import { LRUCache } from 'lru-cache';
import type { Ctx, Service } from '../../context.ts';
import type { WriteOp } from '../../db/group-commit.ts';
import { outboxWritten } from '../outbox/index.ts';
import { createQuotaWarner, type QuotaWarning } from './quota-warned.ts';

/** Maximum number of exhausted quotas kept in memory. For others, the table deduplicates warnings. */
const MAX_NOTED = 10_000;

/** The exhausted quotas that this process has recorded. */
export const notedQuotas: Service<LRUCache<string, true>> = {
  name: 'usage.noted_quotas',
  open: () => new LRUCache({ max: MAX_NOTED }),
};

/** Records a warning without a batch; true if it was new. */
export const warnOp: WriteOp<{ readonly warning: QuotaWarning; readonly now: number }, boolean> = {
  name: 'usage.warn',
  open: (connection) => {
    const warner = createQuotaWarner(connection);
    return { apply: ({ warning, now }) => warner.warn(warning, now) };
  },
};

/**
 * Records once that an organization's quota is exhausted. It runs after the batch was refused, because the refusal
 * was rolled back, and callers do not wait for it.
 */
export function noteExhausted(
  ctx: Ctx,
  { organizationId, month, quota }: { organizationId: string; month: string; quota: number },
): void {
  const noted = ctx.use(notedQuotas);
  const key = `${organizationId} ${month} ${quota}`;
  if (noted.has(key)) return;
  noted.set(key, true);
  const warning: QuotaWarning = { organizationId, month, threshold: 100, quota };
  ctx.db.writer.write(warnOp, { warning, now: ctx.now() }).then(
    (warned) => {
      if (warned) ctx.emit(outboxWritten);
    },
    (error: unknown) => {
      noted.delete(key);
      ctx.log.debug({ err: error, organizationId }, 'an exhausted quota was not recorded');
    },
  );
}
