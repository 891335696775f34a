/**
 * The columns of the dataset Cost and Usage that apply here, in the order of the alphabet, then our own. Decimals are
 * numbers times 10^18.
 * @see https://focus.finops.org/focus-specification/v1-3/
 */
export const FOCUS_COLUMNS = [
  { name: 'BilledCost', type: 'decimal', required: true },
  { name: 'BillingAccountId', type: 'text', required: true },
  { name: 'BillingAccountName', type: 'text', required: true },
  { name: 'BillingCurrency', type: 'text', required: true },
  { name: 'BillingPeriodEnd', type: 'time', required: true },
  { name: 'BillingPeriodStart', type: 'time', required: true },
  { name: 'ChargeCategory', type: 'text', required: true },
  { name: 'ChargeClass', type: 'text', required: false },
  { name: 'ChargeDescription', type: 'text', required: true },
  { name: 'ChargeFrequency', type: 'text', required: true },
  { name: 'ChargePeriodEnd', type: 'time', required: true },
  { name: 'ChargePeriodStart', type: 'time', required: true },
  { name: 'ConsumedQuantity', type: 'decimal', required: false },
  { name: 'ConsumedUnit', type: 'text', required: false },
  { name: 'ContractedCost', type: 'decimal', required: true },
  { name: 'ContractedUnitPrice', type: 'decimal', required: false },
  { name: 'EffectiveCost', type: 'decimal', required: true },
  { name: 'HostProviderName', type: 'text', required: true },
  { name: 'InvoiceId', type: 'text', required: false },
  { name: 'InvoiceIssuerName', type: 'text', required: true },
  { name: 'ListCost', type: 'decimal', required: true },
  { name: 'ListUnitPrice', type: 'decimal', required: false },
  { name: 'PricingCategory', type: 'text', required: false },
  { name: 'PricingQuantity', type: 'decimal', required: false },
  { name: 'PricingUnit', type: 'text', required: false },
  { name: 'ProviderName', type: 'text', required: true },
  { name: 'PublisherName', type: 'text', required: true },
  { name: 'ServiceCategory', type: 'text', required: true },
  { name: 'ServiceName', type: 'text', required: true },
  { name: 'ServiceProviderName', type: 'text', required: true },
  { name: 'ServiceSubcategory', type: 'text', required: true },
  { name: 'SkuId', type: 'text', required: true },
  { name: 'SkuMeter', type: 'text', required: true },
  { name: 'SkuPriceDetails', type: 'json', required: false },
  { name: 'SkuPriceId', type: 'text', required: false },
  { name: 'SubAccountId', type: 'text', required: true },
  { name: 'SubAccountName', type: 'text', required: true },
  { name: 'Tags', type: 'json', required: false },
  { name: 'x_Bucket', type: 'text', required: false },
  { name: 'x_CallCount', type: 'integer', required: false },
  { name: 'x_Correction', type: 'text', required: false },
  { name: 'x_CostStatus', type: 'text', required: true },
  { name: 'x_Model', type: 'text', required: false },
  { name: 'x_PriceReference', type: 'text', required: false },
  { name: 'x_PriceSource', type: 'text', required: false },
  { name: 'x_Provider', type: 'text', required: false },
  { name: 'x_RoundingCost', type: 'decimal', required: true },
  { name: 'x_UsageQuantity', type: 'integer', required: false },
] as const;

type Column = (typeof FOCUS_COLUMNS)[number];
type ValueOf = { text: string; json: string; decimal: bigint; time: number; integer: number };

/** A row: each column by its name. Times in epoch milliseconds, decimals times 10^18. */
export type FocusRow = {
  readonly [C in Column as C['name']]: ValueOf[C['type']] | (C['required'] extends true ? never : null);
};
