import type { AppliedPrice, PriceLine } from '../pricing/index.ts';
import type { CostStatus } from './contract.ts';
import type { Window } from './selection.ts';

/** Selects the calls of a window, optionally of one environment. `byTags` also tells calls with other tags apart. */
export type LedgerQuery = {
  readonly window: Window;
  readonly environment: string | null;
  readonly byTags?: boolean;
};

/** A separately billed item: a bucket of tokens, searches or requests. */
type Billed = PriceLine['bucket'];

/**
 * Sums of a model's calls that share a price, or that have no price for the same reason. `unexplained`: calls whose
 * cost is not the sum of their buckets at the stored price. Amounts in nano-dollars.
 */
export type LedgerAccount = {
  readonly provider: string | null;
  readonly model: string | null;
  readonly kind: CostStatus | 'unexplained';
  /**
   * The tags as JSON with its keys in order; null without tags, and unless they were asked for. A value beyond the
   * limit of its tag is `OTHER`; calls of a project with very many combinations of tags have the JSON text `OTHER`.
   */
  readonly tags: string | null;
  /** The price with its number. The number distinguishes prices that differ only in their rates. */
  readonly price: { readonly id: number; readonly applied: AppliedPrice } | null;
  readonly calls: number;
  readonly tokens: number;
  readonly nano: number;
  /** Cost per bucket; set if there is a price. */
  readonly buckets: readonly { readonly bucket: Billed; readonly tokens: number; readonly nano: number }[];
};

/** Sums of all calls of a model, including calls whose rows retention has deleted. Cost in US dollars. */
export type LedgerModel = {
  readonly provider: string | null;
  readonly model: string | null;
  readonly cost: number;
  readonly requests: number;
  readonly unpriced: number;
};

/** The accounts of stored calls, unordered, and the totals from the same snapshot. */
export type Ledger = { readonly accounts: readonly LedgerAccount[]; readonly models: readonly LedgerModel[] };
