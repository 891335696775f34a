import type { BilledCorrection } from '../../../core/billed-months/index.ts';
import {
  LEDGER_BUCKETS,
  type Ledger,
  type LedgerAccount,
  type LedgerDay,
  type LedgerSpace,
  unpackLedgerRows,
} from '../../../core/events/index.ts';
import { BILLED_BUCKETS } from '../../../core/pricing/contract.ts';
import {
  type AppliedPrice,
  type PriceLine,
  type ReadyPrice,
  readyPrice,
} from '../../../core/pricing/index.ts';
import type { ExactRate, ListRates } from './list-rates.ts';

/** What a charge costs by the unit: the rate that applied, and the one that is published. */
export type UnitRates = { readonly contracted: ExactRate; readonly list: ExactRate };

/**
 * What one row says, before it is written in the words of the specification. `kind` as in a statement. Without `rates`
 * no price by the unit is known.
 */
export type Charge = Pick<LedgerAccount, 'provider' | 'model' | 'tags'> &
  Pick<BilledCorrection, 'kind' | 'price'> & {
    readonly bucket: PriceLine['bucket'] | null;
    readonly rates: UnitRates | null;
    /** Tokens or other units; null if only sums are left. */
    readonly units: number | null;
    /** Nano-dollars; null without a price. */
    readonly nano: number | null;
    /** On the first charge of calls that share a price; null on the others, so that it can be added up. */
    readonly calls: number | null;
  };

/** The rates of a price, parsed once for all accounts that share it. */
export type PriceRates = (price: AppliedPrice) => ReadyPrice['rates'];

export function createPriceRates(): PriceRates {
  const known = new WeakMap<AppliedPrice, ReadyPrice['rates']>();
  return (price) => {
    const rates = known.get(price) ?? readyPrice(price).rates;
    known.set(price, rates);
    return rates;
  };
}

/** What charges need besides the ledger: a time of the day, published rates, and the rates of prices. */
export type Pricing = {
  readonly ts: number;
  readonly listRates: ListRates;
  readonly priceRates: PriceRates;
};

/**
 * The charges of a day of which nothing is deleted: what its calls cost by bucket and price.
 * @param day by `tags`
 * @param space for its columns, which is used until the last charge is taken
 */
export function* chargesOfDay(
  { parties, accounts, rows: packed }: LedgerDay,
  space: LedgerSpace,
  how: Pricing,
): Generator<Charge> {
  const { rows, sums, ...of } = unpackLedgerRows(packed, space);
  const at = (sum: number, row: number): number => sums[sum]?.[row] ?? 0;
  for (let row = 0; row < rows; row++) {
    const account = accounts[of.accounts[row] as number] as LedgerDay['accounts'][number];
    const buckets = BILLED_BUCKETS.map((bucket, i) => ({
      bucket,
      tokens: at(LEDGER_BUCKETS + 2 * i, row),
      nano: at(LEDGER_BUCKETS + 2 * i + 1, row),
    })).filter(({ tokens }) => tokens !== 0);
    const tags = parties[of.parties[row] as number] ?? null;
    const sum = { calls: at(0, row), tokens: at(1, row), nano: at(2, row), buckets };
    yield* chargesOfAccount({ ...account, tags, ...sum }, how);
  }
}

/** The charges of a ledger of one day: what its calls cost by bucket and price, and what is left of deleted ones. */
export function* chargesOf(ledger: Ledger, how: Pricing): Generator<Charge> {
  for (const account of ledger.accounts) yield* chargesOfAccount(account, how);
  yield* chargesOfDeleted(ledger);
}

type Account = Pick<LedgerAccount, 'tags' | 'provider' | 'model' | 'calls' | 'tokens' | 'nano' | 'buckets'> &
  Pick<BilledCorrection, 'kind' | 'price'>;

/**
 * The charges of a correction.
 * @param sign -1 to take back what another month bills
 */
export function chargesOfCorrection(correction: BilledCorrection, sign: 1 | -1, how: Pricing): Charge[] {
  const { calls, tokens, nano, buckets, ...of } = correction;
  const account = {
    ...of,
    tags: null,
    calls: sign * calls,
    tokens: sign * tokens,
    nano: sign * nano,
    buckets: buckets.map((one) => ({ ...one, tokens: sign * one.tokens, nano: sign * one.nano })),
  };
  return chargesOfAccount(account, how);
}

function chargesOfAccount(account: Account, { ts, listRates, priceRates }: Pricing): Charge[] {
  const { provider, model, tags, kind, price, calls, tokens, nano, buckets } = account;
  const of = { provider, model, tags, kind, price };
  if (price === null) {
    const cost = kind === 'unpriced' ? null : nano;
    return [{ ...of, bucket: null, rates: null, units: tokens, nano: cost, calls }];
  }
  const rates = priceRates(price.applied);
  const { applied } = price;
  const listed = applied.source === 'override' ? listRates(account, applied, ts) : null;
  return buckets
    .toSorted((a, b) => BILLED_BUCKETS.indexOf(a.bucket) - BILLED_BUCKETS.indexOf(b.bucket))
    .map(({ bucket, tokens: units, nano }, place) => {
      const contracted = rates[bucket]?.exact;
      const unit = contracted === undefined ? null : { contracted, list: listed?.[bucket] ?? contracted };
      return { ...of, bucket, rates: unit, units, nano, calls: place === 0 ? calls : null };
    });
}

/** What is stored for each model and no longer in rows, since retention has deleted them. */
function chargesOfDeleted({ accounts, models }: Ledger): Charge[] {
  const byModel = Map.groupBy(accounts, nameOf);
  return models.flatMap((total): Charge[] => {
    const { provider, model } = total;
    const [unpriced, priced] = partition(byModel.get(nameOf(total)) ?? []);
    const nano = Math.round(total.cost * 1e9) - sum(priced, 'nano');
    const missing = {
      summed: total.requests - total.unpriced - sum(priced, 'calls'),
      unpriced: total.unpriced - sum(unpriced, 'calls'),
    };
    const of = { provider, model, tags: null, price: null, bucket: null, rates: null, units: null } as const;
    return [
      ...(missing.summed > 0 || nano !== 0
        ? [{ ...of, kind: 'summed' as const, nano, calls: missing.summed }]
        : []),
      ...(missing.unpriced > 0
        ? [{ ...of, kind: 'unpriced' as const, nano: null, calls: missing.unpriced }]
        : []),
    ];
  });
}

const nameOf = ({ provider, model }: Pick<LedgerAccount, 'provider' | 'model'>): string =>
  JSON.stringify([provider, model]);

const partition = (accounts: readonly LedgerAccount[]): readonly [LedgerAccount[], LedgerAccount[]] => [
  accounts.filter(({ kind }) => kind === 'unpriced'),
  accounts.filter(({ kind }) => kind !== 'unpriced'),
];

const sum = (accounts: readonly LedgerAccount[], of: 'nano' | 'calls'): number =>
  accounts.reduce((all, account) => all + account[of], 0);
