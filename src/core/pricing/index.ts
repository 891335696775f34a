export type { UsageBuckets } from './buckets.ts';
export type { CountMode, NormalizedUsage, SentUsage } from './normalize-usage.ts';
export { normalizeUsage } from './normalize-usage.ts';
export type {
  Price,
  PriceableCall,
  Priced,
  PriceLine,
  Pricer,
  Unpriced,
  UnpricedReason,
} from './price-call.ts';
export { createPricer } from './price-call.ts';
export type { BilledBucket, PriceRule } from './rate-card.ts';
export type { RawUsage, TokenFields } from './raw-usage.ts';
export { usageFromRaw } from './raw-usage.ts';
