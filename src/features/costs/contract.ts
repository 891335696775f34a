import { z } from 'zod';
import { COST_STATUSES, EVENT_STATUSES } from '../../core/events/contract.ts';

/** One line: `tokens` × `usd_per_million` = `amount_nano`. */
export const costLineSchema = z.object({
  bucket: z.enum([
    'fresh',
    'cacheRead',
    'cacheWrite5m',
    'cacheWrite1h',
    'output',
    'reasoning',
    'audioInput',
    'audioOutput',
    'webSearch',
    'request',
  ]),
  /** Tokens; searches and requests as they are. */
  tokens: z.number(),
  usd_per_million: z.number(),
  /** The key of the price list that gave the rate. */
  rate: z.string(),
  /** Nano-dollars (10^-9 USD), rounded half up. */
  amount_nano: z.int(),
  amount_usd: z.number(),
});

/** Reply of `GET /v1/events/:id/cost`: how an event's cost came about. */
export const explanationSchema = z.object({
  event_id: z.string(),
  timestamp: z.string(),
  provider: z.string().nullable(),
  model: z.string().nullable(),
  status: z.enum(EVENT_STATUSES),
  cost_status: z.enum(COST_STATUSES).nullable(),
  cost_nano: z.int().nullable(),
  cost_usd: z.number().nullable(),
  /** In a sentence. */
  summary: z.string(),
  /** The counts as the sender stated them. */
  usage: z.object({
    input_tokens: z.number(),
    output_tokens: z.number(),
    cached_input_tokens: z.number(),
    cache_write_tokens: z.number(),
    reasoning_tokens: z.number(),
    raw: z.record(z.string(), z.unknown()).nullable(),
  }),
  /** The disjoint buckets that they were turned into, and why so. */
  normalised: z.object({
    fresh: z.number(),
    cache_read: z.number(),
    cache_write_5m: z.number(),
    cache_write_1h: z.number(),
    output: z.number(),
    reasoning: z.number(),
    cache: z.enum(['inclusive', 'exclusive']),
    reasoning_tokens: z.enum(['inclusive', 'exclusive']),
    reason: z.string(),
  }),
  lines: z.array(costLineSchema),
  /** The sum of the lines, and whether it is the stored cost to the nano-dollar; null without lines. */
  lines_nano: z.int().nullable(),
  adds_up: z.boolean().nullable(),
  /** Which price it was; null for a cost that the sender stated, and where there is none. */
  price: z
    .object({
      source: z.enum(['catalogue', 'override']),
      reference: z.string(),
      provider: z.string().nullable(),
      model: z.string(),
      effective_from: z.string().nullable(),
      effective_until: z.string().nullable(),
      daily: z.string().nullable(),
      context_above: z.number().nullable(),
      service_tier: z.string().nullable(),
      factor: z.number(),
      note: z.string().nullable(),
      /** False: the event is older than the keeping of prices, and today's price was taken for this. */
      recorded: z.boolean(),
    })
    .nullable(),
  /** What it would cost by the prices in force now. */
  today: z.object({
    cost_status: z.enum(COST_STATUSES).nullable(),
    cost_nano: z.int().nullable(),
    cost_usd: z.number().nullable(),
    /** Why it would have no price. */
    reason: z.string().nullable(),
  }),
});
export type Explanation = z.infer<typeof explanationSchema>;
