import { z } from 'zod';
import { parseInstant } from '../../lib/time.ts';

const usd = z.number().min(0).max(1_000_000);

/** US dollars per million tokens; `perRequest` US dollars per call. A missing rate follows another rate. */
export const overrideRatesSchema = z.strictObject({
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

/** A custom price of an organization, as pricing uses it. Times are epoch milliseconds. */
export type PriceOverride = {
  readonly id: string;
  /** Null matches any provider. */
  readonly provider: string | null;
  readonly match: (typeof PRICE_MATCHES)[number];
  /** A name, a prefix, or a pattern with `*` and `?`. */
  readonly model: string;
  readonly rates: OverrideRates;
  /** Rates for calls of more than `above` input tokens; rates missing in a tier come from `rates`. */
  readonly tiers: readonly ({ readonly above: number } & OverrideRates)[];
  /** Only for calls of this service tier; null matches any. */
  readonly serviceTier: string | null;
  /** Valid from this time (inclusive) until that one (exclusive). */
  readonly effectiveFrom: number | null;
  readonly effectiveUntil: number | null;
};

const instant = z
  .string()
  .max(40)
  .refine((text) => parseInstant(text) !== null, 'must be a date or an ISO 8601 time in UTC')
  .nullish();
const name = (max: number) => z.string().trim().min(1).max(max);

/** A price as it is sent to `POST` and `PUT /v1/prices`, imported and exported. */
export const priceInputSchema = z
  .strictObject({
    /** Of any provider when absent. */
    provider: name(200).nullish(),
    match: z.enum(PRICE_MATCHES).default('exact'),
    model: name(300),
    rates: overrideRatesSchema,
    tiers: z
      .array(overrideRatesSchema.extend({ above: z.int().min(1).max(1_000_000_000) }))
      .max(10)
      .default([]),
    serviceTier: name(40).toLowerCase().nullish(),
    currency: z.literal('USD', 'only USD is supported').default('USD'),
    effectiveFrom: instant,
    effectiveUntil: instant,
    note: z.string().max(500).nullish(),
  })
  .superRefine(({ rates, tiers, effectiveFrom, effectiveUntil }, ctx) => {
    const { input, output, perRequest } = rates;
    const wrong = (path: string, message: string): void =>
      ctx.addIssue({ code: 'custom', path: [path], message });
    if (input === undefined && perRequest === undefined)
      wrong('rates', `must have input${output === undefined ? '' : ' beside output'}, or perRequest`);
    if (new Set(tiers.map(({ above }) => above)).size < tiers.length)
      wrong('tiers', 'must not have two of the same size');
    const [from, until] = [effectiveFrom, effectiveUntil].map((text) => parseInstant(text ?? ''));
    if (typeof from === 'number' && typeof until === 'number' && from >= until)
      wrong('effectiveUntil', 'must lie after effectiveFrom');
  });
export type PriceInput = z.output<typeof priceInputSchema>;

/** A price as the API returns it. */
export const priceSchema = z.object({
  id: z.string(),
  organizationId: z.string(),
  provider: z.string().nullable(),
  match: z.enum(PRICE_MATCHES),
  model: z.string(),
  rates: overrideRatesSchema,
  tiers: z.array(overrideRatesSchema.extend({ above: z.number() })),
  serviceTier: z.string().nullable(),
  currency: z.literal('USD'),
  effectiveFrom: z.string().nullable(),
  effectiveUntil: z.string().nullable(),
  note: z.string().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type PriceRow = z.infer<typeof priceSchema>;
