export { modelOfTarget } from './aliases/alias.ts';
export type { AppliedPrice, Bill, PriceLine, ReadyPrice } from './applied-price.ts';
export { billOf, linesOf, readyPrice, sumOf } from './applied-price.ts';
export { builtInPricer } from './built-in-pricer.ts';
export { BUILT_IN, type Catalogue } from './catalogue.ts';
export { modelByDisplayName, modelWords } from './display-name.ts';
export { type FoundModel, findModel } from './find-model.ts';
export { inferProvider, providerAt } from './infer-provider.ts';
export { hasBatchDiscount } from './modifiers.ts';
export { isPriceOf } from './override.ts';
export { stateOf } from './packs/catalogue-state.ts';
export {
  findCatalogue,
  type KeptCatalogue,
  listCatalogues,
  listChanges,
  putInForce,
} from './packs/catalogues.ts';
export { compareCatalogues } from './packs/compare-catalogues.ts';
export { catalogueOfPack, PACK_FORMAT, type PricePack, readPack } from './packs/pack.ts';
export { unreadRates } from './packs/rate-names.ts';
export { createPackKey, packKeyId, signPack, verifyPack } from './packs/sign-pack.ts';
export type { Price, PriceableCall, Pricer, UnpricedReason } from './price-call.ts';
export { createPricer } from './price-call.ts';
export { canonicalModel, priceSum } from './price-sum.ts';
export { catalogueOf, pricerOf, pricingModule } from './pricer-of.ts';
export { findPrice, listPrices, organizationOfPrice } from './prices.ts';
export { pricesChanged } from './prices-changed.ts';
export { type ProviderNames, providerNames } from './provider-names.ts';
export { providerName, SPELLED, spellingsOf } from './provider-spellings.ts';
export { amountNano, type Rate } from './rate.ts';
export { periodsOf } from './rate-card.ts';
export { rateOfBucket, ratesFor, ratesOfPrice } from './rates-of-price.ts';
export { pricesVersion, readPricer } from './read-pricer.ts';
export { endingPrevious, nameOf, removePrice, setPrice, setPrices } from './set-prices.ts';
export { inputTokens, outputTokens, type UsageBuckets } from './usage/buckets.ts';
export type { SentUsage } from './usage/normalize-usage.ts';
export { normalizeUsage } from './usage/normalize-usage.ts';
export type { RawUsage, TokenFields } from './usage/raw-usage.ts';
export { usageFromRaw } from './usage/raw-usage.ts';
export { statedCost } from './usage/stated-cost.ts';
export { usageExtras } from './usage/usage-extras.ts';
