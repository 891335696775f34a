import type { AppliedPrice, PriceLine } from '../pricing/index.ts';
import type { CostStatus } from './contract.ts';
import type { Window } from './selection.ts';
import type { LedgerRows } from './stores/shared/ledger/ledger-rows.ts';

/** Selects the calls of a window, optionally of one environment. `byTags` also tells calls with other tags apart. */
export type LedgerQuery = {
  readonly window: Window;
  readonly environment: string | null;
  readonly byTags?: boolean;
};

/**
 * Sums of a model's calls that share a price, or that have no price for the same reason. `unexplained`: calls whose
 * cost is not the sum of their buckets at the stored price. Amounts in nano-dollars.
 */
export type LedgerAccount = {
  readonly provider: string | null;
  readonly model: string | null;
  readonly kind: CostStatus | 'unexplained';
  /**
   * The tags as JSON with its keys in order; null without tags, and unless they were asked for. With very many
   * combinations of tags, the calls of later ones have the JSON text `OTHER`.
   */
  readonly tags: string | null;
  /** The price with its number. The number distinguishes prices that differ only in their rates. */
  readonly price: { readonly id: number; readonly applied: AppliedPrice } | null;
  readonly calls: number;
  readonly tokens: number;
  readonly nano: number;
  /** Cost per bucket; set if there is a price. */
  readonly buckets: readonly {
    readonly bucket: PriceLine['bucket'];
    readonly tokens: number;
    readonly nano: number;
  }[];
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

/**
 * Who pays for a call: its project, user or key, or the value of a tag. `tags`: the JSON of all its tags, as in
 * `LedgerAccount`; beyond `MAX_TAG_PARTIES` of a day the JSON text `OTHER`.
 */
export type LedgerParty = 'project' | 'user' | 'key' | 'tags' | `tag:${string}`;

/** Days since the epoch (UTC), `to` exclusive, of one project. */
export type LedgerDaysQuery = { readonly from: number; readonly to: number };

/**
 * The state of a stored day. `stamp` changes whenever a call of the day is added, changed or deleted; it may also
 * change without that. It is empty while no event is stored. `complete`: neither retention nor damage took events of
 * the day; otherwise only totals have all of them.
 */
export type LedgerDayState = { readonly day: number; readonly stamp: string; readonly complete: boolean };

/** A UTC day of one project, by who pays. */
export type LedgerDayQuery = { readonly day: number; readonly by: LedgerParty };

/** The stored calls of a day by party and account. Calls without a party have null. */
export type LedgerDay = Omit<LedgerDayState, 'day'> & {
  readonly parties: readonly (string | null)[];
  readonly accounts: readonly Pick<LedgerAccount, 'provider' | 'model' | 'kind' | 'price'>[];
  readonly rows: LedgerRows;
};
