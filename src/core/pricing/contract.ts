import { z } from 'zod';
import { parseInstant } from '../../lib/time.ts';

/**
 * What is billed: token buckets, media within them, seconds, pages, searches, and a fee per request. Appended to, never
 * reordered: kept days of the ledger number the buckets in this order.
 */
export const BILLED_BUCKETS = [
  'fresh',
  'cacheRead',
  'cacheWrite5m',
  'cacheWrite1h',
  'output',
  'reasoning',
  'audioInput',
  'imageInput',
  'videoInput',
  'audioCached',
  'imageCached',
  'audioOutput',
  'imageOutput',
  'videoOutput',
  'audioSeconds',
  'pages',
  'citations',
  'webSearch',
  'request',
] as const;
export type BilledBucket = (typeof BILLED_BUCKETS)[number];

const usd = z.number().min(0).max(1_000_000);

/** US dollars per million tokens; `per…` US dollars per unit. What is absent follows another rate. */
export const overrideRatesSchema = z
  .strictObject({
    input: usd.optional().describe('USD per 1M input tokens.'),
    cacheRead: usd
      .optional()
      .describe('USD per 1M input tokens read from a prompt cache. Default: the input rate.'),
    cacheWrite: usd
      .optional()
      .describe('USD per 1M input tokens written to a prompt cache. Default: the input rate.'),
    cacheWrite1h: usd
      .optional()
      .describe('USD per 1M input tokens written to a 1-hour prompt cache. Default: the cache-write rate.'),
    output: usd.optional().describe('USD per 1M output tokens.'),
    reasoning: usd.optional().describe('USD per 1M reasoning tokens. Default: the output rate.'),
    audioInput: usd.optional().describe('USD per 1M audio input tokens. Default: the input rate.'),
    imageInput: usd.optional().describe('USD per 1M image input tokens. Default: the input rate.'),
    videoInput: usd.optional().describe('USD per 1M video input tokens. Default: the input rate.'),
    audioCached: usd
      .optional()
      .describe('USD per 1M audio tokens read from a prompt cache. Default: the cache-read rate.'),
    imageCached: usd
      .optional()
      .describe('USD per 1M image tokens read from a prompt cache. Default: the cache-read rate.'),
    audioOutput: usd.optional().describe('USD per 1M audio output tokens. Default: the output rate.'),
    imageOutput: usd.optional().describe('USD per 1M image output tokens. Default: the output rate.'),
    videoOutput: usd.optional().describe('USD per 1M video output tokens. Default: the output rate.'),
    citations: usd.optional().describe('USD per 1M citation tokens. Without it, citations make an estimate.'),
    perAudioHour: usd.optional().describe('USD per hour of audio, for models that are billed by time.'),
    perPage: usd.optional().describe('USD per page, for models that are billed by page.'),
    perSearch: usd.optional().describe('USD per web search.'),
    perRequest: usd.optional().describe('USD per call. Default: 0.'),
  })
  .meta({ id: 'Rates' });
export type OverrideRates = { readonly [K in keyof z.infer<typeof overrideRatesSchema>]?: number };

export const PRICE_MATCHES = ['exact', 'prefix', 'glob'] as const;

/** Most prices of an organization: all patterns among them are compared with each new model. */
export const MAX_PRICES = 500;
/** Most wildcards of a glob: each starts a search of its own. */
const MAX_WILDCARDS = 16;

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
    provider: name(200).nullish().describe('Provider; null for any.'),
    match: z
      .enum(PRICE_MATCHES)
      .default('exact')
      .describe('How `model` is compared: `exact`, `prefix`, or `glob` with `*` and `?`. Default: `exact`.'),
    model: name(300).describe(`Model name, its start, or a pattern of at most ${MAX_WILDCARDS} wildcards.`),
    rates: overrideRatesSchema.describe('Rates of the price.'),
    tiers: z
      .array(
        overrideRatesSchema.extend({
          above: z
            .int()
            .min(1)
            .max(1_000_000_000)
            .describe('The tier applies to calls of more input tokens than this.'),
        }),
      )
      .max(10)
      .default([])
      .describe('Rates for long inputs; what a tier does not state is as in `rates`. At most 10.'),
    serviceTier: name(40).toLowerCase().nullish().describe('Only calls of this service tier; null for any.'),
    currency: z.literal('USD', 'only USD is supported').default('USD').describe('Always `USD`.'),
    effectiveFrom: instant.describe(
      'Valid from this time, inclusive: a date or ISO 8601 in UTC; null without a start.',
    ),
    effectiveUntil: instant.describe(
      'Valid until this time, exclusive: a date or ISO 8601 in UTC; null without an end.',
    ),
    note: z.string().max(500).nullish().describe('Free text, at most 500 characters.'),
  })
  .superRefine(({ match, model, rates, tiers, effectiveFrom, effectiveUntil }, ctx) => {
    const { input, output } = rates;
    const perUnit = [rates.perRequest, rates.perAudioHour, rates.perPage].some((rate) => rate !== undefined);
    const wrong = (path: string, message: string): void =>
      ctx.addIssue({ code: 'custom', path: [path], message });
    if (input === undefined && !perUnit)
      wrong('rates', `must have input${output === undefined ? '' : ' beside output'}, or a price per unit`);
    if (match === 'glob' && model.replace(/[^*?]/g, '').length > MAX_WILDCARDS)
      wrong('model', `must have at most ${MAX_WILDCARDS} wildcards (* and ?)`);
    if (new Set(tiers.map(({ above }) => above)).size < tiers.length)
      wrong('tiers', 'must not have two of the same size');
    const [from, until] = [effectiveFrom, effectiveUntil].map((text) => parseInstant(text ?? ''));
    if (typeof from === 'number' && typeof until === 'number' && from >= until)
      wrong('effectiveUntil', 'must lie after effectiveFrom');
  });
export type PriceInput = z.output<typeof priceInputSchema>;

/** A price as the API returns it. */
export const priceSchema = z
  .object({
    id: z.string().describe('Id of the price.'),
    organizationId: z.string().describe('Id of the organization.'),
    provider: z.string().nullable().describe('Provider; null for any.'),
    match: z
      .enum(PRICE_MATCHES)
      .describe('How `model` is compared: `exact`, `prefix`, or `glob` with `*` and `?`. Default: `exact`.'),
    model: z.string().describe('Model name, its start, or a pattern.'),
    rates: overrideRatesSchema.describe('Rates of the price.'),
    tiers: z
      .array(
        overrideRatesSchema.extend({
          above: z.number().describe('The tier applies to calls of more input tokens than this.'),
        }),
      )
      .describe('Rates for long inputs; what a tier does not state is as in `rates`. At most 10.'),
    serviceTier: z.string().nullable().describe('Only calls of this service tier; null for any.'),
    currency: z.literal('USD').describe('Always `USD`.'),
    effectiveFrom: z
      .string()
      .nullable()
      .describe('Valid from this time, inclusive: a date or ISO 8601 in UTC; null without a start.'),
    effectiveUntil: z
      .string()
      .nullable()
      .describe('Valid until this time, exclusive: a date or ISO 8601 in UTC; null without an end.'),
    note: z.string().nullable().describe('Free text, at most 500 characters.'),
    createdAt: z.string().describe('Creation time, ISO 8601 UTC.'),
    updatedAt: z.string().describe('Time of the last change, ISO 8601 UTC.'),
  })
  .meta({ id: 'Price' });
export type PriceRow = z.infer<typeof priceSchema>;
