import type { LedgerAccount } from '../../../core/events/index.ts';
import {
  type AppliedPrice,
  type Catalogue,
  createPricer,
  type PriceLine,
  type Rate,
  readyPrice,
} from '../../../core/pricing/index.ts';

/** Nano-dollars for a token or another unit. */
export type ExactRate = Rate['exact'];
type Rates = Readonly<Partial<Record<PriceLine['bucket'], ExactRate>>>;

/**
 * The published rate of a bucket where an organization's own price applied: of the same day, tier of input tokens and
 * service tier. Null if the catalogue has none.
 */
export type ListRates = (
  account: Pick<LedgerAccount, 'provider' | 'model'>,
  applied: AppliedPrice,
  ts: number,
) => Rates | null;

const NONE = { cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 0, reasoning: 0 } as const;
/** Digits of the factors of service tiers. */
const FACTOR_PARTS = 1_000_000;

/** Looks up published rates in a catalogue. */
export function createListRates(catalogue: Catalogue): ListRates {
  const pricer = createPricer(catalogue);
  return ({ provider, model }, { context_above, factor }, ts) => {
    const buckets = { ...NONE, fresh: (context_above ?? 0) + 1 };
    const found = pricer.priceCall({ provider, model, ts, buckets });
    if (!('price' in found)) return null;
    const rates = Object.entries(readyPrice(found.price).rates);
    return Object.fromEntries(rates.map(([bucket, { exact }]) => [bucket, times(exact, factor)]));
  };
}

const times = ({ numerator, denominator }: ExactRate, factor: number): ExactRate => ({
  numerator: numerator * BigInt(Math.round(factor * FACTOR_PARTS)),
  denominator: denominator * BigInt(FACTOR_PARTS),
});
