import type { AppliedPrice, PriceLine, readyPrice } from '../../../../pricing/index.ts';
import type { LedgerAccount } from '../../../ledger.ts';

/** A price with its number in `event_prices`. */
export type Ready = ReturnType<typeof readyPrice> & { readonly id: number };

type Billed = PriceLine['bucket'];
type Key = Pick<LedgerAccount, 'provider' | 'model' | 'kind'> & { readonly price: Ready | null };

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
  const id = JSON.stringify([key.provider, key.model, key.kind, key.price?.id ?? null]);
  const account = accounts.get(id) ?? { ...key, calls: 0, tokens: 0, nano: 0, buckets: new Map() };
  accounts.set(id, account);
  return account;
}

/** Adds tokens and their cost, in nano-dollars, to a bucket; without tokens nothing. */
export function addToBucket({ buckets }: Account, bucket: Billed, tokens: number, nano: number): void {
  if (tokens === 0) return;
  const sums = buckets.get(bucket) ?? { tokens: 0, nano: 0 };
  buckets.set(bucket, { tokens: sums.tokens + tokens, nano: sums.nano + nano });
}

export const toLedgerAccount = ({ price, buckets, ...account }: Account): LedgerAccount => ({
  ...account,
  price: price === null ? null : { id: price.id, applied: price.price satisfies AppliedPrice },
  buckets: [...buckets].map(([bucket, sums]) => ({ bucket, ...sums })),
});
