export type { UsageBuckets } from './buckets.ts';
export type { SentUsage } from './normalize-usage.ts';
export { normalizeUsage } from './normalize-usage.ts';
export type { Price, PriceableCall, Pricer } from './price-call.ts';
export { createPricer } from './price-call.ts';
export { pricerOf } from './pricer-of.ts';
export type { TokenFields } from './raw-usage.ts';
export { usageFromRaw } from './raw-usage.ts';
