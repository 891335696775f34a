import { z } from 'zod';

const usd = z.number().min(0).max(1_000_000);

/** US dollars per million tokens; `perRequest` US dollars per call. What is absent follows another rate. */
const overrideRatesSchema = z.strictObject({
  input: usd.optional(),
  cacheRead: usd.optional(),
  cacheWrite: usd.optional(),
  cacheWrite1h: usd.optional(),
  output: usd.optional(),
  reasoning: usd.optional(),
  perRequest: usd.optional(),
});
export type OverrideRates = { readonly [K in keyof z.infer<typeof overrideRatesSchema>]?: number };

export const PRICE_MATCHES = ['exact', 'prefix', 'glob'] as const;

/** An organization's own price for models of a name, as pricing uses it. Times are epoch milliseconds. */
export type PriceOverride = {
  readonly id: string;
  /** Null: of any provider. */
  readonly provider: string | null;
  readonly match: (typeof PRICE_MATCHES)[number];
  /** A name, its start, or a pattern with `*` and `?`. */
  readonly model: string;
  readonly rates: OverrideRates;
  /** Rates for calls of more than `above` input tokens; what a tier does not say is as in `rates`. */
  readonly tiers: readonly ({ readonly above: number } & OverrideRates)[];
  /** Only for calls of this service tier; null: of any. */
  readonly serviceTier: string | null;
  /** From this time, and before that one. */
  readonly effectiveFrom: number | null;
  readonly effectiveUntil: number | null;
};
