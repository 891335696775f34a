import { LRUCache } from 'lru-cache';
import type { Ctx, Service } from '../../context.ts';
import type { WriteOp } from '../../db/group-commit.ts';
import { quotaExceeded } from '../../errors.ts';
import { formatInstant, startOfNextMonth } from '../../lib/time.ts';
import { outboxWritten } from '../outbox/index.ts';
import { createQuotaWarner, type QuotaWarning } from './quota-warned.ts';

/** Maximum number of exhausted quotas kept in memory. */
const MAX_NOTED = 10_000;

/** What this process knows of a quota that refused a batch; `full`: not one more event fits. */
type Noted = 'asking' | 'room' | 'full';

/** The quotas that refused a batch, by organization, month and quota. */
export const notedQuotas: Service<LRUCache<string, Noted>> = {
  name: 'usage.noted_quotas',
  open: () => new LRUCache({ max: MAX_NOTED }),
};

/** A quota for which an organization's events of a month are counted. `month` is `YYYY-MM`. */
type Quota = { readonly organizationId: string; readonly month: string; readonly quota: number };
const nameOf = ({ organizationId, month, quota }: Quota): string => `${organizationId} ${month} ${quota}`;

/** The calendar month (UTC) of a time, its day, and the seconds until the next month. */
export function monthOf(now: number): { day: string; month: string; resetSeconds: number } {
  const day = formatInstant(now).slice(0, 10);
  return {
    day,
    month: day.slice(0, 7),
    resetSeconds: Math.max(1, Math.ceil((startOfNextMonth(now) - now) / 1000)),
  };
}

/** Records a warning without a batch. `warned`: it was new; `isFull`: not one more event fits. */
export const warnOp: WriteOp<
  { readonly warning: QuotaWarning; readonly now: number },
  { warned: boolean; isFull: boolean }
> = {
  name: 'usage.warn',
  open: (connection) => {
    const warner = createQuotaWarner(connection);
    const readMonth = connection
      .prepare('SELECT 1 FROM usage_months WHERE organization_id = ? AND month = ? AND events >= ?')
      .raw(true);
    return {
      apply: ({ warning, now }) => ({
        warned: warner.warn(warning, now),
        isFull: readMonth.all([warning.organizationId, warning.month, warning.quota]).length > 0,
      }),
    };
  },
};

/**
 * Records that an organization's quota refused a batch, and remembers if nothing fits any more. It runs after the batch
 * was refused, because the refusal was rolled back, and callers do not wait for it.
 */
export function noteExhausted(ctx: Ctx, of: Quota): void {
  const noted = ctx.use(notedQuotas);
  const name = nameOf(of);
  const known = noted.get(name);
  if (known === 'full' || known === 'asking') return;
  noted.set(name, 'asking');
  const warning: QuotaWarning = { ...of, threshold: 100 };
  ctx.db.writer.write(warnOp, { warning, now: ctx.now() }).then(
    ({ warned, isFull }) => {
      noted.set(name, isFull ? 'full' : 'room');
      if (warned) ctx.emit(outboxWritten);
    },
    (error: unknown) => {
      noted.delete(name);
      ctx.log.debug({ err: error, organizationId: of.organizationId }, 'an exhausted quota was not recorded');
    },
  );
}

/**
 * Refuses a batch before its body is read if the organization's quota of this month is known to be used up. The counts
 * decide otherwise, when the batch is stored.
 * @throws AppError 429 `Monthly quota exceeded`
 */
export function refuseExhausted(
  ctx: Ctx,
  {
    organizationId,
    monthlyEvents: quota,
  }: { readonly organizationId: string; readonly monthlyEvents: number },
): void {
  const { month, resetSeconds } = monthOf(ctx.now());
  if (ctx.use(notedQuotas).get(nameOf({ organizationId, month, quota })) === 'full')
    throw quotaExceeded(resetSeconds);
}
