import type { ProviderNames } from '../../../core/pricing/index.ts';
import { NO_MODEL } from '../../../lib/no-model.ts';
import type { Charge } from './charges.ts';
import type { FocusRow } from './columns.ts';
import { PER_NANO, toDecimal } from './decimal.ts';
import type { ExactRate } from './list-rates.ts';
import { ALL_USAGE, skuIdOf, skuPriceDetailsOf, skuPriceIdOf } from './sku.ts';
import { unitOf } from './units.ts';

/** A period from an instant until another, exclusive, in epoch milliseconds. */
type Period = { readonly from: number; readonly to: number };

/** What a charge belongs to. */
export type ChargeContext = {
  readonly account: { readonly id: string; readonly name: string };
  readonly project: { readonly id: string; readonly name: string };
  readonly billing: Period;
  readonly charged: Period;
  /**
   * `correction`: the charge corrects a month that was closed before. `billed later`: it takes back what changed after
   * the month was closed, which another month bills. Null for a charge of the ledger.
   */
  readonly correction: 'correction' | 'billed later' | null;
  readonly names: (of: Pick<Charge, 'provider' | 'model'>) => ProviderNames;
};

const CURRENCY = 'USD';
/** Where neither the provider was sent nor the model tells it: the specification wants a name. */
const UNKNOWN_PROVIDER = 'Unknown';

/** A row of the dataset. */
export function toRow(charge: Charge, context: ChargeContext): FocusRow {
  const { account, project, billing, charged, correction } = context;
  const { provider, maker } = context.names(charge);
  const service = provider ?? UNKNOWN_PROVIDER;
  const cost = BigInt(charge.nano ?? 0) * PER_NANO;
  return {
    BilledCost: cost,
    BillingAccountId: account.id,
    BillingAccountName: account.name,
    BillingCurrency: CURRENCY,
    BillingPeriodEnd: billing.to,
    BillingPeriodStart: billing.from,
    ChargeCategory: 'Usage',
    ChargeClass: correction === 'correction' ? 'Correction' : null,
    ChargeDescription: descriptionOf(charge, correction),
    ChargeFrequency: 'Usage-Based',
    ChargePeriodEnd: charged.to,
    ChargePeriodStart: charged.from,
    EffectiveCost: cost,
    HostProviderName: service,
    InvoiceId: null,
    InvoiceIssuerName: service,
    ProviderName: service,
    PublisherName: maker ?? service,
    ServiceCategory: 'AI and Machine Learning',
    ServiceName: `${service} API`,
    ServiceProviderName: service,
    ServiceSubcategory: 'Generative AI',
    SubAccountId: project.id,
    SubAccountName: project.name,
    Tags: tagsOf(charge.tags),
    x_Bucket: charge.bucket,
    x_CallCount: charge.calls,
    x_Correction: correction,
    x_CostStatus: charge.kind,
    x_Model: charge.model,
    x_PriceReference: charge.price?.applied.reference ?? null,
    x_PriceSource: charge.price?.applied.source ?? null,
    x_Provider: charge.provider,
    x_UsageQuantity: charge.units,
    ...pricedPart(charge, cost),
  };
}

type PricedPart = Pick<
  FocusRow,
  | 'ConsumedQuantity'
  | 'ConsumedUnit'
  | 'ContractedCost'
  | 'ContractedUnitPrice'
  | 'ListCost'
  | 'ListUnitPrice'
  | 'PricingCategory'
  | 'PricingQuantity'
  | 'PricingUnit'
  | 'SkuId'
  | 'SkuMeter'
  | 'SkuPriceDetails'
  | 'SkuPriceId'
  | 'x_RoundingCost'
>;

/** Without a price by the unit, what depends on a SKU price is null, and costs before rounding are the cost. */
function pricedPart(charge: Charge, cost: bigint): PricedPart {
  const { bucket, rates, units, price } = charge;
  const named = namedOf(charge);
  if (bucket === null || rates === null || units === null || price === null)
    return {
      ConsumedQuantity: null,
      ConsumedUnit: null,
      ContractedCost: cost,
      ContractedUnitPrice: null,
      ListCost: cost,
      ListUnitPrice: null,
      PricingCategory: null,
      PricingQuantity: null,
      PricingUnit: null,
      SkuId: skuIdOf(named, bucket ?? ALL_USAGE),
      SkuMeter: bucket === null ? 'All usage' : unitOf(bucket).meter,
      SkuPriceDetails: null,
      SkuPriceId: null,
      x_RoundingCost: 0n,
    };
  const { consumed, pricing, per, meter } = unitOf(bucket);
  const skuId = skuIdOf(named, bucket);
  const used = BigInt(units);
  const contracted = costOf(rates.contracted, used);
  return {
    ConsumedQuantity: toDecimal(used, 1n),
    ConsumedUnit: consumed,
    ContractedCost: contracted,
    ContractedUnitPrice: costOf(rates.contracted, per),
    ListCost: costOf(rates.list, used),
    ListUnitPrice: costOf(rates.list, per),
    PricingCategory: 'Standard',
    PricingQuantity: toDecimal(used, per),
    PricingUnit: pricing,
    SkuId: skuId,
    SkuMeter: meter,
    SkuPriceDetails: skuPriceDetailsOf(named, bucket, price.applied),
    SkuPriceId: skuPriceIdOf(skuId, price.applied),
    x_RoundingCost: cost - contracted,
  };
}

/** The catalogue's names where its price applied: an alias or a date in the sent name does not change them. */
function namedOf({ provider, model, price }: Charge): Pick<Charge, 'provider' | 'model'> {
  if (price?.applied.source !== 'catalogue') return { provider, model };
  return { provider: price.applied.provider ?? provider, model: price.applied.model };
}

const NANO_PER_DOLLAR = 1_000_000_000n;

/** What so many units cost at a rate, in dollars. */
const costOf = ({ numerator, denominator }: ExactRate, units: bigint): bigint =>
  toDecimal(units * numerator, denominator * NANO_PER_DOLLAR);

/** Tags as an object of plain values. Null without tags, and if they are not known. */
function tagsOf(json: string | null): string | null {
  const tags: unknown = json === null ? null : JSON.parse(json);
  if (typeof tags !== 'object' || tags === null) return null;
  const plain = Object.entries(tags).map(([name, value]): [string, unknown] => [
    name,
    typeof value === 'object' && value !== null ? JSON.stringify(value) : value,
  ]);
  return JSON.stringify(Object.fromEntries(plain));
}

const KINDS: Readonly<Record<Exclude<Charge['kind'], 'priced'>, string>> = {
  estimated: 'estimate',
  client: 'cost stated by the sender',
  unexplained: 'stored cost without its price',
  summed: 'sum of deleted rows',
  unpriced: 'no price known',
};

function descriptionOf({ model, bucket, kind }: Charge, correction: ChargeContext['correction']): string {
  const what = bucket === null ? 'all usage' : unitOf(bucket).meter;
  const notes = [...(kind === 'priced' ? [] : [KINDS[kind]]), ...(correction === null ? [] : [correction])];
  return `${model ?? NO_MODEL}: ${what}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`;
}
