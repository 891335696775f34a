import { sql } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';
import type { Ctx, Service } from '../../context.ts';
import { quotaWarned } from './quota-warned.ts';

/** Most exhausted quotas that a process remembers; the table refuses repetitions of any other. */
const MAX_NOTED = 10_000;

/** The exhausted quotas that this process has recorded. */
export const notedQuotas: Service<LRUCache<string, true>> = {
  name: 'usage.noted_quotas',
  open: () => new LRUCache({ max: MAX_NOTED }),
};

/**
 * Records once that an organization's month is used up, after a batch was refused: the refusal itself was
 * rolled back. Nobody waits for it.
 */
export function noteExhausted(
  ctx: Ctx,
  { organizationId, month, quota }: { organizationId: string; month: string; quota: number },
): void {
  const noted = ctx.use(notedQuotas);
  const key = `${organizationId} ${month} ${quota}`;
  if (noted.has(key)) return;
  noted.set(key, true);
  const insert = sql`INSERT INTO quota_warnings (organization_id, month, threshold, quota, at)
    VALUES (${organizationId}, ${month}, 100, ${quota}, ${ctx.now()}) ON CONFLICT DO NOTHING`;
  ctx.db.sql.run(insert).then(
    () => ctx.emit(quotaWarned),
    (error: unknown) => {
      noted.delete(key);
      ctx.log.debug({ err: error, organizationId }, 'an exhausted quota was not noted');
    },
  );
}
