import { z } from 'zod';
import { displayName } from '../../core/orgs/contract.ts';
import { defineEndpoint, organizationParams } from '../../core/tenancy/contract.ts';
import { DECIMAL, MOST_DECIMALS } from '../../lib/billing/decimal.ts';

const MAX_CHANNELS = 10;
const MAX_FEES = 20;
const MAX_ADDRESS_LINES = 8;
const MAX_PARTY = 4_000;
const MAX_LIMIT = 100;

/** Who a statement is for. */
export const statementBy = z
  .string()
  .max(210)
  .regex(/^(?:project|user|key|tag:.{1,200})$/s, 'must be project, user, key or tag:NAME')
  .transform((by) => by as StatementBy);
export type StatementBy = 'project' | 'user' | 'key' | `tag:${string}`;

const byParam = statementBy.meta({
  description: 'Who statements are for: `project`, `user`, `key` or `tag:NAME`.',
  example: 'tag:customer',
});
const monthParam = z
  .string()
  .regex(/^(?:19|20)\d\d-(?:0[1-9]|1[0-2])$/, 'must be a month like 2026-10')
  .meta({ description: 'Month in UTC, `YYYY-MM`.', example: '2026-05' });

const decimal = (digits: number, what: string) =>
  z
    .string()
    .regex(DECIMAL, `must be a decimal number such as 12.50`)
    .refine((text) => (text.split('.')[1] ?? '').length <= digits, `must have at most ${digits} decimals`)
    .describe(what);

const line = displayName;

const letterheadSchema = z.strictObject({
  name: line.nullable().default(null).describe('Name of the sender; null for that of the organization.'),
  address: z
    .array(line)
    .max(MAX_ADDRESS_LINES)
    .default([])
    .describe(`Lines below the name: address, register, tax number. At most ${MAX_ADDRESS_LINES}.`),
  footer: z
    .string()
    .trim()
    .max(1_000)
    .default('')
    .describe('Text at the end, such as terms of payment and bank details.'),
});

const letterheadReply = z.object({
  name: z.string().nullable().describe('Name of the sender; null for that of the organization.'),
  address: z.array(z.string()).describe('Lines below the name.'),
  footer: z.string().describe('Text at the end.'),
});

/** Body of `PUT /v1/organizations/:id/statement-definitions`, without `by`. */
export const settingsSchema = z.strictObject({
  markupPercent: z
    .number()
    .min(0)
    .max(1_000)
    .multipleOf(0.0001)
    .default(0)
    .describe('What is added to the cost, in per cent, with at most 4 decimals. Default: 0.'),
  fees: z
    .array(
      z.strictObject({
        name: line.describe('Name on the statement.'),
        amount: decimal(MOST_DECIMALS.amount, 'Amount in the currency, such as `25.00`.'),
      }),
    )
    .max(MAX_FEES)
    .default([])
    .describe(`Flat fees of each party with calls in the month, at most ${MAX_FEES}.`),
  minimum: decimal(MOST_DECIMALS.amount, '')
    .nullable()
    .default(null)
    .describe('Least that a party with calls in the month pays, in the currency; null for none.'),
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, 'must be a code of ISO 4217 such as EUR')
    .default('USD')
    .describe('Currency of the amounts, ISO 4217. Default: `USD`.'),
  rate: decimal(MOST_DECIMALS.rate, '')
    .default('1')
    .refine((text) => /[1-9]/.test(text), 'must be more than 0')
    .describe('Price of one US dollar in the currency, as you state it, with at most 10 decimals.'),
  letterhead: letterheadSchema
    .default({ name: null, address: [], footer: '' })
    .describe('Sender of the statements.'),
  closeDay: z
    .int()
    .min(1)
    .max(28)
    .nullable()
    .default(null)
    .describe('Day of the next month on which a month is closed by itself; null to close it by hand.'),
  deliver: z
    .enum(['each', 'summary'])
    .default('each')
    .describe('What channels get of a closed month: `each` statement, or one `summary`.'),
  channelIds: z
    .array(z.string().min(1).max(100))
    .max(MAX_CHANNELS)
    .transform((ids) => [...new Set(ids)])
    .default([])
    .describe(`Ids of channels that get closed statements, at most ${MAX_CHANNELS}.`),
});
export type StatementSettings = z.output<typeof settingsSchema>;

export const definitionInputSchema = z
  .strictObject({ by: byParam, ...settingsSchema.shape })
  .refine(({ currency, rate }) => currency !== 'USD' || Number(rate) === 1, {
    path: ['rate'],
    message: 'must be 1 for USD',
  });

export const definitionSchema = z
  .object({
    id: z.string().describe('Id of the definition.'),
    organizationId: z.string().describe('Id of the organization.'),
    by: z.string().describe('Who statements are for: `project`, `user`, `key` or `tag:NAME`.'),
    markupPercent: z.number().describe('What is added to the cost, in per cent.'),
    fees: z
      .array(
        z.object({
          name: z.string().describe('Name on the statement.'),
          amount: z.string().describe('Amount in the currency.'),
        }),
      )
      .describe('Flat fees of each party with calls in the month.'),
    minimum: z
      .string()
      .nullable()
      .describe('Least that a party with calls in the month pays; null for none.'),
    currency: z.string().describe('Currency of the amounts, ISO 4217.'),
    rate: z.string().describe('Price of one US dollar in the currency.'),
    letterhead: letterheadReply.describe('Sender of the statements.'),
    closeDay: z
      .int()
      .nullable()
      .describe('Day of the next month on which a month is closed by itself; null to close it by hand.'),
    deliver: z.enum(['each', 'summary']).describe('What channels get of a closed month.'),
    channelIds: z.array(z.string()).describe('Ids of channels that get closed statements.'),
    lastClosed: z.string().nullable().describe('Last closed month, `YYYY-MM`; null if there is none.'),
    createdAt: z.string().describe('When it was created, ISO 8601 UTC.'),
    updatedAt: z.string().describe('When it was changed last, ISO 8601 UTC.'),
  })
  .meta({ id: 'StatementDefinition' });
export type StatementDefinition = z.output<typeof definitionSchema>;

export const LINE_TYPES = ['usage', 'correction', 'markup', 'correctionMarkup', 'fee', 'minimum'] as const;

export const statementLineSchema = z.object({
  type: z
    .enum(LINE_TYPES)
    .describe(
      '`usage`: quantity × rate = amount. `correction`: the same for a month that was closed before. `correctionMarkup`: the markup on its corrections. `minimum`: what is missing to the least amount.',
    ),
  text: z.string().describe('The line in words.'),
  month: z.string().describe('Month that the line is about, `YYYY-MM`.'),
  projectId: z.string().nullable().describe('Id of the project; null on a line without calls.'),
  provider: z.string().nullable().describe('Provider of the model, such as `openai`.'),
  model: z.string().nullable().describe('Model name as it was sent; null if the calls have none.'),
  kind: z
    .enum(['priced', 'estimated', 'client', 'unexplained', 'summed', 'unpriced'])
    .nullable()
    .describe(
      '`client`: senders stated the cost. `unpriced`: no price is known. `summed`: only sums are left of the calls, which nobody is named for. Null on a line without calls.',
    ),
  bucket: z.string().nullable().describe('What is billed, such as `fresh` or `output`; null without a rate.'),
  price: z
    .object({
      source: z.enum(['catalogue', 'override']).describe('Where it comes from.'),
      reference: z.string().describe('Id of the price or name of the catalogue entry.'),
      contextAbove: z.number().nullable().describe('The tier applies above this many input tokens.'),
      serviceTier: z.string().nullable().describe('Service tier and other modifiers of the call.'),
      factor: z.number().describe('Factor on all rates.'),
    })
    .nullable()
    .describe('Price that applied; null without one.'),
  usdPerMillion: z.number().nullable().describe('Rate in USD per 1M tokens or units; null without a rate.'),
  quantity: z.number().nullable().describe('Tokens, or units; null on a line without calls.'),
  calls: z.int().nullable().describe('Calls at this price; the same number on each of its lines.'),
  amountNano: z
    .int()
    .nullable()
    .describe('Cost in billionths of a US dollar; null for calls without a price and lines without calls.'),
  amount: z.string().describe('Amount in the currency. The lines add up to the total.'),
});
export type StatementLine = z.infer<typeof statementLineSchema>;

export const statementSummarySchema = z.object({
  party: z
    .string()
    .nullable()
    .describe('Project id, user, key id or value of the tag; null for calls without one.'),
  projectId: z.string().nullable().describe('Project of a user or key, which belong to one; null for a tag.'),
  name: z.string().describe('Name of the party.'),
  number: z.string().nullable().describe('Number of the statement; null while its month is open.'),
  calls: z.int().describe('Calls of the month.'),
  unpriced: z.int().describe('Calls of the month without a known price; their cost is in no sum.'),
  costNano: z.int().describe('Cost of the month in billionths of a US dollar, before markup and fees.'),
  correctionsNano: z.int().describe('The same of corrections of closed months.'),
  total: z.string().describe('Total in the currency.'),
});
export type StatementSummary = z.infer<typeof statementSummarySchema>;

const monthFields = {
  organizationId: z.string().describe('Id of the organization.'),
  organization: z.string().describe('Name of the organization.'),
  by: z.string().describe('Who statements are for.'),
  month: z.string().describe('Month in UTC, `YYYY-MM`.'),
  status: z.enum(['open', 'closed']).describe('An open month still changes; a closed one never does.'),
  closedAt: z.string().nullable().describe('When it was closed, ISO 8601 UTC; null while it is open.'),
  currency: z.string().describe('Currency of the amounts, ISO 4217.'),
  rate: z.string().describe('Price of one US dollar in the currency.'),
  markupPercent: z.number().describe('What is added to the cost, in per cent.'),
};

export const statementSchema = statementSummarySchema
  .extend({
    ...monthFields,
    letterhead: letterheadReply.describe('Sender of the statement.'),
    lines: z.array(statementLineSchema).describe('Lines: quantity × rate = amount, markup, fees.'),
  })
  .meta({ id: 'Statement' });
export type Statement = z.infer<typeof statementSchema>;

export const statementsSchema = z.object({
  ...monthFields,
  defined: z.boolean().describe('Whether there is a definition; without one, amounts are costs in USD.'),
  count: z.int().describe('Statements of the month.'),
  calls: z.int().describe('Calls of the month.'),
  unpriced: z.int().describe('Calls of the month without a known price.'),
  costNano: z.int().describe('Sum of all statements in billionths of a US dollar: the cost in the ledger.'),
  correctionsNano: z.int().describe('Sum of the corrections of closed months.'),
  total: z.string().describe('Sum of the totals in the currency.'),
  statements: z
    .array(
      statementSummarySchema.extend({
        lines: z.array(statementLineSchema).optional().describe('Its lines, if `lines=true` asks for them.'),
      }),
    )
    .describe('Statements, highest cost first; calls without a party come last.'),
  nextCursor: z.string().nullable().describe('Cursor of the next page; null on the last.'),
});
export type Statements = z.infer<typeof statementsSchema>;

const monthQuery = { month: monthParam, by: byParam };

const limitParam = z
  .string()
  .regex(/^[1-9]\d{0,2}$/, `must be a number from 1 to ${MAX_LIMIT}`)
  .transform(Number)
  .refine((limit) => limit <= MAX_LIMIT, `must be a number from 1 to ${MAX_LIMIT}`)
  .meta({ description: `Statements per page, at most ${MAX_LIMIT}. Default: 50.`, example: '50' });

export const statementsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/organizations/:id/statements',
  auth: 'organization',
  summary: "List a month's statements by project, user, key or tag",
  description:
    'Each statement adds up, and all together are the cost in the ledger, to the nano-dollar: calls without a party have a statement of their own. A closed month never changes; late events, new prices and erasure become corrections in the next one.',
  params: organizationParams,
  query: z.object({
    ...monthQuery,
    lines: z.enum(['true', 'false']).default('false').describe('Whether to add the lines. Default: false.'),
    cursor: z
      .string()
      .regex(/^\d{1,9}$/, 'must be nextCursor of a reply')
      .optional()
      .describe('`nextCursor` of the previous page.'),
    limit: limitParam.optional(),
  }),
  reply: statementsSchema,
});

export const statementEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/organizations/:id/statements/party',
  auth: 'organization',
  summary: "Get a party's statement of a month, line by line",
  description: 'A party without calls has a statement without lines.',
  params: organizationParams,
  query: z.object({
    ...monthQuery,
    party: z
      .string()
      .min(1)
      .max(MAX_PARTY)
      .optional()
      .describe('Project id, user, key id or value of the tag; leave it out for calls without one.'),
    projectId: z.string().max(100).optional().describe('Project of a user or key.'),
  }),
  reply: statementSchema,
});

export const statementsCsvEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/organizations/:id/statements/csv',
  auth: 'organization',
  summary: "Export a month's statements as CSV, a row for each line",
  params: organizationParams,
  query: z.object(monthQuery),
});

export const closeMonthEndpoint = defineEndpoint({
  method: 'POST',
  path: '/v1/organizations/:id/statements/close',
  auth: 'organization',
  role: 'admin',
  summary: 'Close a month: its statements never change again',
  description:
    'Months are closed in order, after their end (UTC). What changes later becomes corrections in the next month. The channels of the definition get the statements.',
  params: organizationParams,
  body: z.strictObject({
    ...monthQuery,
    confirm: z.string().describe('The month once more, because closing cannot be undone.'),
  }),
  example: { month: '2026-05', by: 'project', confirm: '2026-05' },
  reply: statementsSchema,
});

export const listDefinitionsEndpoint = defineEndpoint({
  method: 'GET',
  path: '/v1/organizations/:id/statement-definitions',
  auth: 'organization',
  summary: 'List how the organization bills its costs',
  params: organizationParams,
  reply: z.object({
    definitions: z.array(definitionSchema).describe('Definitions, by who they are for.'),
    nextCursor: z.null().describe('There is one page only.'),
  }),
});

export const putDefinitionEndpoint = defineEndpoint({
  method: 'PUT',
  path: '/v1/organizations/:id/statement-definitions',
  auth: 'organization',
  role: 'admin',
  summary: 'Define, or change, how costs are billed by project, user, key or tag',
  description: 'A change applies to months that are not closed.',
  params: organizationParams,
  body: definitionInputSchema,
  example: { by: 'tag:customer', markupPercent: 20, currency: 'EUR', rate: '0.92', closeDay: 3 },
  reply: definitionSchema,
});

export const deleteDefinitionEndpoint = defineEndpoint({
  method: 'DELETE',
  path: '/v1/organizations/:id/statement-definitions',
  auth: 'organization',
  role: 'admin',
  summary: 'Delete a definition without closed months',
  params: organizationParams,
  query: z.object({ by: byParam }),
  status: 204,
});
