import { type Ctx, defineEvent } from '../../context.ts';
import type { LedgerAccount } from '../events/index.ts';
import type { AppliedPrice } from '../pricing/index.ts';

/**
 * What the ledger of a closed month has beyond what was billed of it, for a project, model and price. Sums may be
 * negative.
 */
export type BilledCorrection = Pick<
  LedgerAccount,
  'provider' | 'model' | 'calls' | 'tokens' | 'nano' | 'buckets'
> & {
  /** The corrected month, `YYYY-MM`. */
  readonly month: string;
  readonly projectId: string;
  /** `summed`: only sums are left of the calls. */
  readonly kind: LedgerAccount['kind'] | 'summed';
  readonly price: { readonly applied: AppliedPrice } | null;
};

/** The months of an organization that were billed, by project. */
export type BilledMonths = {
  /** What a month bills of earlier closed months: as it was closed, or as it would be closed now. */
  correctionsIn(ctx: Ctx, organizationId: string, month: string): Promise<readonly BilledCorrection[]>;
  /** What later months bill of a closed month; none of a month that is open. */
  correctionsOf(ctx: Ctx, organizationId: string, month: string): Promise<readonly BilledCorrection[]>;
};

/** Emitted by whoever needs the billed months; the module that closes months answers. */
export const billedMonthsNeeded = defineEvent<{ answer(months: BilledMonths): void }>('billed_months.needed');

const NONE: BilledMonths = { correctionsIn: async () => [], correctionsOf: async () => [] };

/** The billed months. Nothing is corrected where no module closes months. */
export function billedMonthsOf(ctx: Ctx): BilledMonths {
  let found = NONE;
  ctx.emit(billedMonthsNeeded, {
    answer: (months) => {
      found = months;
    },
  });
  return found;
}
