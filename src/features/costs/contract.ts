import { z } from 'zod';
import { COST_STATUSES, EVENT_STATUSES, instantParam, textParam } from '../../core/events/contract.ts';
import { defineEndpoint } from '../../core/tenancy/contract.ts';
import { DAY_MS, parseInstant } from '../../lib/time.ts';

export const BILLED_BUCKETS = [
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
] as const;

/** One line: `tokens` × `usd_per_million` = `amount_nano`. */
export const costLineSchema = z.object({
  bucket: z.enum(BILLED_BUCKETS),
  /** Tokens; searches and requests as they are. */
  tokens: z.number(),
  usd_per_million: z.number(),
  /** The key of the price list that gave the rate. */
  rate: z.string(),
  /** Nano-dollars (10^-9 USD), rounded half up. */
  amount_nano: z.int(),
  amount_usd: z.number(),
});

/** A price as it was applied, without its rates. */
const appliedPriceSchema = z.object({
  source: z.enum(['catalogue', 'override']),
  /** The catalogue's version, or the id of the override. */
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
  price: appliedPriceSchema
    .extend({
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

/**
 * Why a line of a statement is there. `priced` and `estimated`: tokens × rate = amount. `client`: the senders
 * stated these costs. `unpriced`: no price is known, so there is no amount. `unexplained`: priced before prices
 * were kept. `summed`: retention has deleted the rows, their sums are left.
 */
export const STATEMENT_KINDS = [
  'priced',
  'estimated',
  'client',
  'unexplained',
  'summed',
  'unpriced',
] as const;

export const statementLineSchema = z.object({
  provider: z.string().nullable(),
  model: z.string(),
  kind: z.enum(STATEMENT_KINDS),
  /** What is billed; null where no price was applied. */
  bucket: z.enum(BILLED_BUCKETS).nullable(),
  /** The price of the line; lines of different prices, tiers or times are apart. */
  price: appliedPriceSchema.nullable(),
  /** What tells it from another, which may differ in its rates alone: an own price changes under one id. */
  price_id: z.int().nullable(),
  /** Calls of that price, the same number on each of its lines. */
  calls: z.int(),
  /** Tokens; searches and requests as they are; null where they are not known. */
  tokens: z.number().nullable(),
  usd_per_million: z.number().nullable(),
  /** The key of the price list that gave the rate. */
  rate: z.string().nullable(),
  /** Nano-dollars: the sum of the calls' amounts; null without a price. */
  amount_nano: z.int().nullable(),
  amount_usd: z.number().nullable(),
  /** Each call is rounded to a nano-dollar: tokens × rate + this is the amount, exactly. */
  rounding_nano: z.number(),
});

/** Reply of `GET /v1/costs/statement`: a UTC day, line by line. */
export const statementSchema = z.object({
  /** As YYYY-MM-DD. */
  day: z.string(),
  /** Only of this environment; null: of all. */
  environment: z.string().nullable(),
  lines: z.array(statementLineSchema),
  /** Dearest first. */
  models: z.array(
    z.object({
      provider: z.string().nullable(),
      model: z.string(),
      calls: z.int(),
      unpriced: z.int(),
      /** Null where no call has a price. */
      amount_nano: z.int().nullable(),
      amount_usd: z.number().nullable(),
    }),
  ),
  /** The day's stored cost, asked for by itself, and whether the lines add up to it to the nano-dollar. */
  total_nano: z.int(),
  total_usd: z.number(),
  lines_nano: z.int(),
  adds_up: z.boolean(),
  calls: z.int(),
  unpriced: z.int(),
});
export type Statement = z.infer<typeof statementSchema>;
export type StatementLine = z.infer<typeof statementLineSchema>;

/** A UTC day as text, days since the epoch when read. */
const dayParam = z.string().transform((text, ctx) => {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? parseInstant(text) : null;
  if (ms !== null) return Math.floor(ms / DAY_MS);
  ctx.addIssue({ code: 'custom', message: 'must be a UTC day like 2026-01-31' });
  return z.NEVER;
});

export const explainEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/events/:id/cost',
  auth: 'project',
  summary: "How an event's cost came about: usage, buckets, rates, amounts, and which price it was",
  query: z.object({ projectId: z.string(), timestamp: instantParam }),
  params: z.object({ id: z.guid('must be the UUID of an event').toLowerCase() }),
  reply: explanationSchema,
});

export const statementEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/costs/statement',
  auth: 'project',
  summary: "A day's statement: bucket × rate = amount of each model and price, adding up to the day's cost",
  query: z.object({ projectId: z.string(), day: dayParam, environment: textParam(200) }),
  reply: statementSchema,
});
