import { LRUCache } from 'lru-cache';
import type { Ctx, Service } from '../../context.ts';
import type { WriteOp } from '../../db/group-commit.ts';
import { quotaExceeded } from '../../errors.ts';
import { formatInstant, startOfNextMonth } from '../../lib/time.ts';
import { createMonthReader } from './count-usage.ts';
import { createQuotaWarner, emitWarned, QUOTA_UNITS, type QuotaWarning, type Usage } from './quota-warned.ts';

/** Maximum number of exhausted quotas kept in memory. */
const MAX_NOTED = 10_000;

/** What this process knows of a quota that refused a batch; `full`: not one more event fits. */
type Noted = 'asking' | 'room' | 'full';

/** The quotas that refused a batch, by organization, month and quota. */
export const notedQuotas: Service<LRUCache<string, Noted>> = {
  name: 'usage.noted_quotas',
  open: () => new LRUCache({ max: MAX_NOTED }),
};

/** The quotas against which an organization's month is counted. `month` is `YYYY-MM`. */
type Quota = { readonly organizationId: string; readonly month: string; readonly quota: Usage };
const nameOf = ({ organizationId, month, quota }: Quota): string =>
  `${organizationId} ${month} ${quota.events} ${quota.bytes}`;

/** The calendar month (UTC) of a time, its day, and the seconds until the next month. */
export function monthOf(now: number): { day: string; month: string; resetSeconds: number } {
  const day = formatInstant(now).slice(0, 10);
  return {
    day,
    month: day.slice(0, 7),
    resetSeconds: Math.max(1, Math.ceil((startOfNextMonth(now) - now) / 1000)),
  };
}

/**
 * Records without a batch that a quota is exhausted: the one of which more is used. `warned`: that was new; `isFull`: not
 * one more event fits.
 */
export const warnOp: WriteOp<Quota & { readonly now: number }, { warned: boolean; isFull: boolean }> = {
  name: 'usage.warn',
  open: (connection) => {
    const warner = createQuotaWarner(connection);
    const readMonth = createMonthReader(connection);
    return {
      apply: ({ organizationId, month, quota, now }) => {
        const used = readMonth(organizationId, month);
        const isBytes = quota.events > 0 && used.bytes * quota.events > used.events * quota.bytes;
        const unit = isBytes || quota.bytes === 0 ? 'bytes' : 'events';
        const warning: QuotaWarning = { organizationId, month, unit, threshold: 100, quota: quota[unit] };
        return {
          warned: warner.warn(warning, now),
          isFull: QUOTA_UNITS.some((each) => used[each] >= quota[each]),
        };
      },
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
  ctx.db.writer.write(warnOp, { ...of, now: ctx.now() }).then(
    ({ warned, isFull }) => {
      noted.set(name, isFull ? 'full' : 'room');
      if (warned) emitWarned(ctx);
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
    monthlyEvents,
    monthlyBytes,
  }: { readonly organizationId: string; readonly monthlyEvents: number; readonly monthlyBytes: number },
): void {
  const { month, resetSeconds } = monthOf(ctx.now());
  const quota = { events: monthlyEvents, bytes: monthlyBytes };
  if (ctx.use(notedQuotas).get(nameOf({ organizationId, month, quota })) === 'full')
    throw quotaExceeded(resetSeconds);
}
