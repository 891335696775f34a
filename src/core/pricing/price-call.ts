import { aliasCard } from './aliases/alias-card.ts';
import {
  type AppliedPrice,
  billOf,
  missingBucket,
  type PriceLine,
  type ReadyPrice,
  sumOf,
} from './applied-price.ts';
import { BUILT_IN, type Catalogue, providerOf } from './catalogue.ts';
import type { BilledBucket, PriceOverride } from './contract.ts';
import { type FoundModel, findModel, type NotFound } from './find-model.ts';
import { createMemo } from './memo.ts';
import { compileOverrides } from './override.ts';
import { catalogueCard, type RateCard } from './rate-card.ts';
import { inputTokens, type UsageBuckets } from './usage/buckets.ts';
import { hasModifiers, type UsageExtras } from './usage/usage-extras.ts';

/** A call to price: names as sent, `ts` in epoch milliseconds, tokens by bucket. */
export type PriceableCall = {
  readonly provider: string | null;
  readonly model: string | null;
  readonly ts: number;
  readonly buckets: UsageBuckets;
  readonly extras?: UsageExtras | null;
  /** Whether the call succeeded. A successful call without counts used an unknown amount. */
  readonly answered?: boolean;
};

export type Priced = {
  /** `estimated`: priced, but `price.note` or `unbilled` says what is uncertain. */
  readonly status: 'priced' | 'estimated';
  /** Nano-dollars: exactly the sum of the lines' amounts. */
  readonly cost_nano: number;
  readonly lines: readonly PriceLine[];
  /** Names of quantities of the usage that have no rate. */
  readonly unbilled: readonly string[];
  /** The same object for all calls with the same price. */
  readonly price: AppliedPrice;
};

/**
 * Why a call has no price. `no_rate`: the model is listed, but without a rate for a used bucket (or it is billed by
 * something else, such as hours of audio). `no_usage`: it succeeded without any counts, or the sender knows none.
 */
export type UnpricedReason = NotFound | 'no_rate' | 'no_usage';

type Unpriced = {
  readonly status: 'unpriced';
  readonly reason: UnpricedReason;
  /** For `no_rate`: the price that was found, and the bucket that it has no rate for. */
  readonly lacks?: { readonly bucket: BilledBucket; readonly price: AppliedPrice };
};

export type Price = Priced | Unpriced;

/** Prices calls from a catalogue and an organization's overrides. */
export type Pricer = { readonly priceCall: (call: PriceableCall) => Price };

/** Most cached pairs of provider and model; a pair takes a few KB. */
const REMEMBERED_PAIRS = 5_000;
/** Fewer with overrides: a pair then also lists those that match it, and such a cache serves one organization. */
const REMEMBERED_WITH_OVERRIDES = 1_000;

/** Cached data of a pair: its overrides, and its rate card in the catalogue or the reason why it has none. */
type Known = { readonly own: RateCard | null; readonly listed: RateCard | Unpriced };

function priceBy(ready: ReadyPrice, call: PriceableCall): Price {
  const { buckets, extras = null, answered = false } = call;
  const { price } = ready;
  const used = inputTokens(buckets) + buckets.output + buckets.reasoning;
  const isByUnit =
    used === 0 &&
    extras !== null &&
    BY_UNIT.some((unit) => ready.rates[unit] !== undefined && extras[unit] > 0);
  // Without a rate for input, the model is billed by something that is not counted here.
  if (ready.rates.fresh === undefined && !isByUnit)
    return { status: 'unpriced', reason: 'no_rate', lacks: { bucket: 'fresh', price } };
  const isUnknown = answered || extras?.incomplete === true;
  if (used === 0 && isUnknown && !ready.tokensAreFree && !isByUnit)
    return { status: 'unpriced', reason: 'no_usage' };
  const bill = billOf(ready, buckets, { extras, answered });
  if (bill === null) {
    const bucket = missingBucket(ready, buckets, extras) ?? 'fresh';
    return { status: 'unpriced', reason: 'no_rate', lacks: { bucket, price } };
  }
  const status = price.note === null && bill.unbilled.length === 0 ? 'priced' : 'estimated';
  return { status, cost_nano: sumOf(bill.lines), ...bill, price };
}

function listedCard(catalogue: Catalogue, { provider, model, alias }: FoundModel): RateCard {
  const { version } = catalogue;
  if (alias === undefined) return catalogueCard(version, provider, model);
  return aliasCard({ version, provider, models: providerOf(catalogue, provider)?.models ?? [] }, alias);
}

/** Units that can be the whole price of a call without tokens. */
const BY_UNIT = ['audioSeconds', 'pages'] as const;

/**
 * Creates a pricer, which works offline. It caches the prices of recently used pairs of provider and model. Date, hour,
 * service tier and context size are evaluated for every call, so the cache never goes stale. An override that applies
 * replaces the catalogue.
 *
 * Each line is its tokens times its rate as an exact fraction, rounded half up to a nano-dollar; the cost is the sum of
 * the lines. An unknown price is `unpriced`, never 0.
 * @example createPricer().priceCall({ provider: 'openai', model: 'gpt-4o', ts: Date.now(), buckets })
 */
export function createPricer(
  catalogue: Catalogue = BUILT_IN,
  overrides: readonly PriceOverride[] = [],
): Pricer {
  const memo = createMemo<Known>(overrides.length === 0 ? REMEMBERED_PAIRS : REMEMBERED_WITH_OVERRIDES);
  const ownOf = overrides.length === 0 ? null : compileOverrides(overrides, catalogue);

  const lookUp = (provider: string | null, model: string | null): Known => {
    // The length separates the two names unambiguously, whatever characters they contain.
    const key = `${provider?.length ?? 0}:${provider ?? ''}${model ?? ''}`;
    const known = memo.get(key);
    if (known !== undefined) return known;
    const found = findModel(catalogue, provider, model);
    const value: Known = {
      own: ownOf === null ? null : ownOf({ provider, model }),
      listed:
        typeof found === 'string' ? { status: 'unpriced', reason: found } : listedCard(catalogue, found),
    };
    memo.set(key, value);
    return value;
  };

  return {
    priceCall: (call) => {
      const { own, listed } = lookUp(call.provider, call.model);
      const input = inputTokens(call.buckets);
      const modifiers = hasModifiers(call.extras) ? call.extras : null;
      const ready =
        own?.priceAt(call.ts, input, modifiers) ??
        ('status' in listed ? null : listed.priceAt(call.ts, input, modifiers));
      if (ready !== null) return priceBy(ready, call);
      return 'status' in listed ? listed : { status: 'unpriced', reason: 'no_rate' };
    },
  };
}
