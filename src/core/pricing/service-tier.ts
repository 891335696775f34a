/** The effect of a service tier on the listed rates; `note` says why the result is only an estimate. */
export type TierEffect = { readonly factor: number; readonly note: string | null };

/**
 * Providers (the catalogue's ids) that bill these tiers at half of the listed token prices: their pricing
 * pages, "Batch API" and "Flex processing".
 */
const HALF_PRICE: Readonly<Record<string, ReadonlySet<string>>> = {
  batch: new Set([
    'openai',
    'azure',
    'anthropic',
    'aws',
    'google',
    'mistral',
    'groq',
    'together',
    'fireworks',
  ]),
  flex: new Set(['openai', 'azure', 'google']),
};

/** True if a provider processes batches at half price. */
export const hasBatchDiscount = (provider: string | null): boolean =>
  provider !== null && HALF_PRICE.batch?.has(provider) === true;

/** The effect of a tier at a provider. A tier without a published price makes the cost an estimate. */
export function tierEffect(provider: string | null, tier: string | null): TierEffect {
  if (tier === null) return { factor: 1, note: null };
  if (provider !== null && HALF_PRICE[tier]?.has(provider)) return { factor: 0.5, note: null };
  return {
    factor: 1,
    note: `the price of the service tier ${tier} is unknown: the list price was used; set a custom price for it`,
  };
}
