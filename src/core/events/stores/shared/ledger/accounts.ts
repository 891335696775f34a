import type { AppliedPrice, PriceLine, readyPrice } from '../../../../pricing/index.ts';
import type { Ledger, LedgerAccount } from '../../../ledger.ts';
import { OTHER } from '../../../metrics.ts';

/** A price with its number in `event_prices`. */
export type Ready = ReturnType<typeof readyPrice> & { readonly id: number };

type Billed = PriceLine['bucket'];
type Key = Pick<LedgerAccount, 'provider' | 'model' | 'kind' | 'tags'> & { readonly price: Ready | null };

/** Most accounts of a ledger that are told apart by their tags; the tags of later ones are `OTHER_TAGS`. */
const MAX_TAGGED = 20_000;
/** Tags that are not known, as JSON. */
export const OTHER_TAGS = JSON.stringify(OTHER);

/** An account while calls are added to it. */
export type Account = Key & {
  calls: number;
  tokens: number;
  nano: number;
  readonly buckets: Map<Billed, { tokens: number; nano: number }>;
};
export type Accounts = Map<string, Account>;

/** The account of a key, made if there is none yet. */
export function accountOf(accounts: Accounts, key: Key): Account {
  const id = JSON.stringify([key.provider, key.model, key.kind, key.price?.id ?? null, key.tags]);
  const known = accounts.get(id);
  if (known !== undefined) return known;
  if (accounts.size >= MAX_TAGGED && key.tags !== null && key.tags !== OTHER_TAGS)
    return accountOf(accounts, { ...key, tags: OTHER_TAGS });
  const account: Account = { ...key, calls: 0, tokens: 0, nano: 0, buckets: new Map() };
  accounts.set(id, account);
  return account;
}

/** Adds tokens and their cost, in nano-dollars, to a bucket; without tokens nothing. */
export function addToBucket({ buckets }: Account, bucket: Billed, tokens: number, nano: number): void {
  if (tokens === 0) return;
  const sums = buckets.get(bucket) ?? { tokens: 0, nano: 0 };
  buckets.set(bucket, { tokens: sums.tokens + tokens, nano: sums.nano + nano });
}

/** A ledger on its way from the reader: each price once, and the accounts with its number. */
export type PackedLedger = Omit<Ledger, 'accounts'> & {
  readonly prices: readonly { readonly id: number; readonly applied: AppliedPrice }[];
  readonly accounts: readonly (Omit<LedgerAccount, 'price'> & { readonly price: number | null })[];
};

/** @param models the totals of the same snapshot */
export function packLedger(accounts: Accounts, models: Ledger['models']): PackedLedger {
  const prices = new Map<number, AppliedPrice>();
  const packed = [...accounts.values()].map(({ price, buckets, ...account }) => {
    if (price !== null) prices.set(price.id, price.price);
    return {
      ...account,
      price: price?.id ?? null,
      buckets: [...buckets].map(([bucket, sums]) => ({ bucket, ...sums })),
    };
  });
  return { prices: [...prices].map(([id, applied]) => ({ id, applied })), accounts: packed, models };
}

export function unpackLedger({ prices, accounts, models }: PackedLedger): Ledger {
  const byId = new Map(prices.map((price) => [price.id, price]));
  const priceOf = (id: number | null): LedgerAccount['price'] =>
    id === null ? null : (byId.get(id) ?? null);
  return {
    accounts: accounts.map(({ price, ...account }) => ({ ...account, price: priceOf(price) })),
    models,
  };
}
