import { z } from 'zod';
import { instantParam, storedEventSchema, textParam } from '../../core/events/contract.ts';
import { BILLED_BUCKETS } from '../../core/pricing/contract.ts';
import { defineEndpoint, projectIdParam } from '../../core/tenancy/contract.ts';
import { DAY_MS, parseInstant } from '../../lib/time.ts';

/** One line: `tokens` × `usd_per_million` = `amount_nano`. */
export const costLineSchema = z.object({
  bucket: z
    .enum(BILLED_BUCKETS)
    .describe('What is billed: a bucket of tokens, or a unit such as `audioSeconds` or `request`.'),
  tokens: z.number().describe('Number of tokens, or of units.'),
  usd_per_million: z.number().describe('Rate in USD per 1M tokens or units.'),
  rate: z.string().describe('Key of the rate in the price list.'),
  amount_nano: z.int().describe('Amount in billionths of a US dollar, rounded half up.'),
  amount_usd: z.number().describe('Amount in USD.'),
});

/** A price as it was applied, without its rates. */
const appliedPriceSchema = z.object({
  source: z.enum(['catalogue', 'override']).describe('Where it comes from.'),
  reference: z.string().describe('Id of the price or name of the catalogue entry.'),
  provider: z.string().nullable().describe('Provider of the model, such as `openai`.'),
  model: z.string().describe('Model name as it was sent.'),
  effective_from: z.string().nullable().describe('Valid from, ISO 8601 UTC; null without a start.'),
  effective_until: z.string().nullable().describe('Valid until, ISO 8601 UTC; null without an end.'),
  daily: z.string().nullable().describe('Hours of the day in which the price applies; null for all.'),
  context_above: z
    .number()
    .nullable()
    .describe('The tier applies above this many input tokens; null for the base rates.'),
  service_tier: z
    .string()
    .nullable()
    .describe('Service tier and other modifiers of the call, such as `fast mode`; null without any.'),
  factor: z.number().describe('Factor on all rates.'),
  note: z.string().nullable().describe('Why the cost is an estimate; null if the price is certain.'),
});

const eventFields = storedEventSchema.shape;

/** Reply of `GET /v1/events/:id/cost`: how an event's cost came about. */
export const explanationSchema = z.object({
  event_id: eventFields.event_id,
  timestamp: eventFields.timestamp,
  provider: eventFields.provider,
  model: eventFields.model,
  status: eventFields.status,
  cost_status: eventFields.cost_status,
  cost_nano: z.int().nullable().describe('Cost in billionths of a US dollar; null if unpriced.'),
  cost_usd: z.number().nullable().describe('Cost in USD; null if unpriced.'),
  summary: z.string().describe('The explanation in words.'),
  usage: z
    .object({
      input_tokens: eventFields.input_tokens,
      output_tokens: eventFields.output_tokens,
      cached_input_tokens: eventFields.cached_input_tokens,
      cache_write_tokens: eventFields.cache_write_tokens,
      reasoning_tokens: eventFields.reasoning_tokens,
      raw: z.record(z.string(), z.unknown()).nullable().describe('Usage object, as it was sent.'),
    })
    .describe('Usage of the call.'),
  normalised: z
    .object({
      fresh: z.number().describe('Input tokens that were neither read from a cache nor written to one.'),
      cache_read: z.number().describe('Input tokens read from a prompt cache.'),
      cache_write_5m: z.number().describe('Input tokens written to a 5-minute prompt cache.'),
      cache_write_1h: z.number().describe('Input tokens written to a 1-hour prompt cache.'),
      output: z.number().describe('Output tokens without reasoning.'),
      reasoning: z.number().describe('Reasoning tokens.'),
      cache: z
        .enum(['inclusive', 'exclusive'])
        .describe('Whether the sent input tokens include the cached tokens.'),
      reasoning_tokens: z
        .enum(['inclusive', 'exclusive'])
        .describe('Whether the sent output tokens include the reasoning tokens.'),
      reason: z.string().describe('Why, in words.'),
    })
    .describe('Token buckets that the usage was normalised to; each token is in one.'),
  lines: z.array(costLineSchema).describe('Lines: bucket × rate = amount.'),
  unbilled: z
    .array(z.string())
    .describe(
      'Counts of the usage that the price has no rate for; the cost is an estimate if there are any.',
    ),
  missing_rates: z
    .array(z.string())
    .describe('Rates that the price lacks for this usage, by their names in custom prices.'),
  lines_nano: z.int().nullable().describe('Sum of the lines in billionths of a US dollar.'),
  adds_up: z.boolean().nullable().describe('Whether the lines add up to the cost.'),
  price: appliedPriceSchema
    .extend({
      recorded: z.boolean().describe('Whether the price was recorded with the event.'),
    })
    .nullable()
    .describe('Price that applied; null without one.'),
  today: z
    .object({
      cost_status: eventFields.cost_status,
      cost_nano: z.int().nullable().describe('Cost in billionths of a US dollar; null if unpriced.'),
      cost_usd: z.number().nullable().describe('Cost in USD; null if unpriced.'),
      reason: z.string().nullable().describe('Why it would have no price; null if it has one.'),
    })
    .describe("What the call would cost at today's prices."),
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
  provider: z.string().nullable().describe('Provider of the model, such as `openai`.'),
  model: z.string().describe('Model name as it was sent.'),
  kind: z.enum(STATEMENT_KINDS).describe('Kind of line.'),
  bucket: z
    .enum(BILLED_BUCKETS)
    .nullable()
    .describe('What is billed: a bucket of tokens, or a unit such as `audioSeconds` or `request`.'),
  price: appliedPriceSchema.nullable().describe('Price that applied; null without one.'),
  price_id: z.int().nullable().describe('Id of the price in the statement; null without one.'),
  calls: z.int().describe('Calls at this price; the same number on each of its lines.'),
  tokens: z.number().nullable().describe('Number of tokens, or of units; null if only sums are left.'),
  usd_per_million: z
    .number()
    .nullable()
    .describe('Rate in USD per 1M tokens or units; null on a line without a rate.'),
  rate: z.string().nullable().describe('Key of the rate in the price list; null on a line without a rate.'),
  amount_nano: z
    .int()
    .nullable()
    .describe("Sum of the calls' amounts in billionths of a US dollar; null without a price."),
  amount_usd: z.number().nullable().describe('Amount in USD; null if unpriced.'),
  rounding_nano: z
    .number()
    .describe('What rounding each call added: amount less tokens × rate, in billionths of a US dollar.'),
});

/** Reply of `GET /v1/costs/statement`: a UTC day, line by line. */
export const statementSchema = z.object({
  day: z.string().describe('Day in UTC, `YYYY-MM-DD`.'),
  environment: z.string().nullable().describe('Only this environment; null for all.'),
  lines: z.array(statementLineSchema).describe('Lines: bucket × rate = amount.'),
  models: z
    .array(
      z.object({
        provider: z.string().nullable().describe('Provider of the model, such as `openai`.'),
        model: z.string().describe('Model name as it was sent.'),
        calls: z.int().describe('Number of calls.'),
        unpriced: z.int().describe('Calls without a known price; their cost is in no sum.'),
        amount_nano: z
          .int()
          .nullable()
          .describe('Cost of its calls in billionths of a US dollar; null if no call has a price.'),
        amount_usd: z.number().nullable().describe('The same in USD.'),
      }),
    )
    .describe('Highest cost first.'),
  total_nano: z.int().describe('Cost of the day in billionths of a US dollar, without unpriced calls.'),
  total_usd: z.number().describe('The same in USD.'),
  lines_nano: z.int().describe('Sum of the lines in billionths of a US dollar.'),
  adds_up: z.boolean().describe('Whether the lines add up to the cost.'),
  calls: z.int().describe('Number of calls.'),
  unpriced: z.int().describe('Calls without a known price; their cost is in no sum.'),
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
  summary: 'Explain the cost of an event: usage, buckets, rates, amounts and price',
  query: z.object({
    projectId: projectIdParam,
    timestamp: instantParam.describe('Time of the event, ISO 8601 UTC; it makes the search faster.'),
  }),
  params: z.object({ id: z.guid('must be the UUID of an event').toLowerCase().describe('Id.') }),
  reply: explanationSchema,
});

export const statementEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/costs/statement',
  auth: 'project',
  summary: "Get a day's statement: bucket × rate = amount for each model and price",
  query: z.object({
    projectId: projectIdParam,
    day: dayParam.meta({ description: 'Day in UTC, `YYYY-MM-DD`.', example: '2026-11-01' }),
    environment: textParam(200).describe('Environment, such as `production`.'),
  }),
  reply: statementSchema,
});
