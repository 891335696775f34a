import type { AppliedPrice, PriceLine } from '../pricing/index.ts';
import type { CostStatus } from './contract.ts';
import type { Window } from './selection.ts';

/** Calls of a window, and of one environment, if of one. */
export type LedgerQuery = { readonly window: Window; readonly environment: string | null };

/** What is billed apart: buckets of tokens, searches, requests. */
type Billed = PriceLine['bucket'];

/**
 * What the calls of a model add up to that have one price, or are of one kind without one. `unexplained`: their
 * cost is not the sum of their buckets by the price that is kept with them. Amounts in nano-dollars.
 */
export type LedgerAccount = {
  readonly provider: string | null;
  readonly model: string | null;
  readonly kind: CostStatus | 'unexplained';
  /** With its number, which tells it from another that differs in its rates alone. */
  readonly price: { readonly id: number; readonly applied: AppliedPrice } | null;
  readonly calls: number;
  readonly tokens: number;
  readonly nano: number;
  /** Present with a price: what each bucket cost. */
  readonly buckets: readonly { readonly bucket: Billed; readonly tokens: number; readonly nano: number }[];
};

/** What all calls of a model add up to, those whose rows retention has deleted included. Cost in US dollars. */
export type LedgerModel = {
  readonly provider: string | null;
  readonly model: string | null;
  readonly cost: number;
  readonly requests: number;
  readonly unpriced: number;
};

/** The accounts of the calls that are stored, in no order, and the totals of the same snapshot. */
export type Ledger = { readonly accounts: readonly LedgerAccount[]; readonly models: readonly LedgerModel[] };
